/** The report of one recorded run, or of several side by side. */

import { readFileSync, writeFileSync } from "node:fs";
import { Failure, messageOf } from "../errors.ts";
import { policyOf } from "../policy/rules.ts";
import type { Policy } from "../policy/rules.ts";
import type { Run } from "../report/model.ts";
import { pageOf } from "../report/page.ts";
import { summaryOf } from "../report/summary.ts";
import { startTimeline } from "../report/timeline.ts";
import { parseArguments } from "./arguments.ts";
import { readLog, recordedFiles } from "./event-log-file.ts";

const help = `Usage: copilot-driver report <events.jsonl | folder> … [--result <file>] … [--md] [-o <file>]

Makes one self-contained HTML page of a run, or of several runs side by side. A folder stands for the latest
events.jsonl in it; a result.json in the folder, or beside a log, is used with it.

Options:
  --result <file>    The driver's result for a log; give one per log, in the same order
  --md               Markdown, as in the summary of a workflow step, instead of HTML
  --allow <entry>    Explain the denials by this allow list; may be repeated
  -o, --output <file>  Where to write; - is standard output. Default: report.html on a terminal, else standard output

Examples:
  copilot-driver report events.jsonl -o report.html
  copilot-driver report runs/* --md >> "$GITHUB_STEP_SUMMARY"
`;

const readResult = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure("configuration", `Cannot read the result ${file} (${messageOf(error)}).`);
  }
};

const readRun = async (
  path: string,
  given: string | undefined,
  options: { policy?: Policy },
): Promise<Run> => {
  const { name, log, result } = recordedFiles(path);
  const timeline = startTimeline(name, options);
  await readLog(log, timeline.addLine);
  const resultFile = given ?? result;
  return timeline.finish(resultFile === undefined ? undefined : readResult(resultFile));
};

const write = (text: string, output: string | undefined, markdown: boolean): void => {
  const file = output ?? (process.stdout.isTTY && !markdown ? "report.html" : "-");
  if (file === "-") {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Failure("configuration", `Cannot write ${file} (${messageOf(error)}).`);
  }
  process.stderr.write(`Wrote ${file}\n`);
};

export const run = async (args: string[]): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      result: { type: "string", multiple: true, default: [] },
      allow: { type: "string", multiple: true, default: [] },
      md: { type: "boolean", default: false },
      output: { type: "string", short: "o" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (positionals.length === 0)
    throw new Failure("configuration", "Give at least one event log. See --help.");
  if (values.result.length > positionals.length)
    throw new Failure("configuration", "There are more results than event logs.");
  const options = values.allow.length > 0 ? { policy: policyOf({ allowedTools: values.allow }).policy } : {};
  const runs: Run[] = [];
  for (const [index, path] of positionals.entries())
    runs.push(await readRun(path, values.result[index], options));
  write(values.md ? summaryOf(runs) : pageOf(runs), values.output, values.md);
  return 0;
};
