// A door to the harness for tests: settings come in as JSON on stdin, everything observed goes out as JSON lines.
import { runHarness } from "./src/harness/run.js";
import { createLog } from "./src/log.js";

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const read = async () => {
  let text = "";
  for await (const part of process.stdin) text += part;
  return JSON.parse(text);
};

const settings = await read();
const log = createLog({ prefix: "harness", level: "debug", write: (text) => say({ log: text.trimEnd() }) });
const result = await runHarness(
  { parentEnvironment: process.env, ...settings },
  {
    log,
    mask: (secret) => say({ mask: secret }),
    onDriverLine: (line) => say({ driver: line }),
    onEvent: (event) => say({ event: event.type }),
    onStart: (what) => say({ started: what }),
  },
);
say({ result });
process.exitCode = result.exitCode;
