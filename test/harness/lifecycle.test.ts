import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import { createHarnessWorld, type HarnessWorld, type Said } from "../support/harness-process.ts";

let world: HarnessWorld;
let api: ScriptedApi;
let hanging: ScriptedApi;

beforeAll(async () => {
  world = createHarnessWorld();
  hanging = await startScriptedApi({ turns: [{ hang: true }] });
  api = await startScriptedApi({
    turns: [
      {
        toolCalls: [
          { name: "bash", arguments: { command: "echo $((6*7))", description: "x", mode: "sync" } },
        ],
      },
      { text: "The answer is 42." },
    ],
  });
});
afterAll(async () => {
  await api.close();
  await hanging.close();
  world.remove();
});
afterEach(async () => {
  expect(await world.leftBehind()).toEqual([]);
});

const scripted = () => ({ kind: "scripted" as const, environment: api.environment });

/** A driver of a few lines, for what ours does not do. */
const stubDriver = (name: string, code: string): readonly [string, string] => [
  process.execPath,
  world.write(`${name}.mjs`, code, 0o644),
];
const forever = "setInterval(() => {}, 1000);";

const stubRuntime = (name: string, code: string): string => world.write(name, `#!/usr/bin/env node\n${code}`);

const deaf = `for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {});`;
const answersHandshake = `require("node:net").createServer((socket) => socket.once("data", () => {
  const body = '{"jsonrpc":"2.0","id":1,"result":{"version":"0.0.0"}}';
  socket.end("Content-Length: " + body.length + "\\r\\n\\r\\n" + body);
})).listen(0, "127.0.0.1", function () { console.log("listening on port " + this.address().port); });`;

const says =
  (text: string) =>
  ({ log, driver }: Said): boolean =>
    (log ?? driver ?? "").includes(text);

describe("a run", () => {
  it("takes a prompt through the real runtime and our driver to an answer", async () => {
    const run = world.start({ credential: scripted() });
    const { status, result } = await run.ended;
    expect(run.logs()).not.toContain("failed");
    expect(status).toBe(0);
    expect(result).toMatchObject({
      outcome: "completed",
      exitCode: 0,
      output: "The answer is 42.",
      attempts: 1,
      runtimeVersion: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      tools: [{ name: "bash", calls: 1, failures: 0 }],
    });
    const events = run.said.flatMap(({ event }) => event ?? []);
    expect(events).toEqual(
      expect.arrayContaining(["session.start", "tool.execution_start", "session.shutdown"]),
    );
  });
});

describe("a run whose driver", () => {
  it("crashes is failed, with the driver's last line", async () => {
    const driver = stubDriver("crash", `console.error("boom at line 1"); process.exit(70);`);
    const { status, result } = await world.start({ credential: scripted(), driver }).ended;
    expect(status).toBe(1);
    expect(result).toMatchObject({ outcome: "failed", errorKind: "unknown", message: "boom at line 1" });
  });

  it("dies of a signal is failed, and the signal named", async () => {
    const driver = stubDriver("suicide", `process.kill(process.pid, "SIGSEGV"); ${forever}`);
    const { result } = await world.start({ credential: scripted(), driver }).ended;
    expect(result).toMatchObject({
      outcome: "failed",
      message: "The driver ended with signal SIGSEGV.",
    });
  });

  it("hangs beyond its time is stopped, and timed out", async () => {
    const driver = stubDriver("hangs", forever);
    const timeLimit = { kind: "explicit", sendTimeoutMs: "1" } as const;
    const { status, result } = await world.start({ credential: scripted(), driver, timeLimit }).ended;
    expect(status).toBe(124);
    expect(result).toMatchObject({ outcome: "timed-out", errorKind: "timeout" });
    expect(result?.message).toContain("did not end within");
  });

  it("cannot be started is a mistake in the settings", async () => {
    const run = world.start({ credential: scripted(), driver: ["/nowhere/driver"] });
    expect((await run.ended).result).toMatchObject({
      exitCode: 2,
      errorKind: "configuration",
      message: expect.stringContaining("/nowhere/driver cannot be started") as string,
    });
  });

  it("leaves no result still tells by exit code and stdout what came of it", async () => {
    const driver = stubDriver("foreign", `console.log("An answer."); process.exitCode = 0;`);
    const { status, result } = await world.start({ credential: scripted(), driver }).ended;
    expect(status).toBe(0);
    expect(result).toMatchObject({ outcome: "completed", output: "An answer.", hasOutput: true });
  });

  it("claims success in its result but exits with a failure is not believed", async () => {
    const driver = stubDriver(
      "liar",
      `import { writeFileSync } from "node:fs";
       writeFileSync(process.env.COPILOT_SDK_RESULT_FILE, JSON.stringify({ exitCode: 0, outcome: "completed", output: "fine" }));
       process.exit(3);`,
    );
    const { status, result } = await world.start({ credential: scripted(), driver }).ended;
    expect(status).toBe(3);
    expect(result).toMatchObject({ outcome: "denied", errorKind: "denied" });
  });

  it("leaves only what the specification asks for, and fails, is failed", async () => {
    const driver = stubDriver(
      "plain",
      `import { writeFileSync } from "node:fs";
       writeFileSync(process.env.COPILOT_SDK_RESULT_FILE, JSON.stringify({ exitCode: 1, output: "partial", hasOutput: true, durationMs: 3 }));
       console.error("it broke");
       process.exit(1);`,
    );
    const { status, result } = await world.start({ credential: scripted(), driver }).ended;
    expect(status).toBe(1);
    expect(result).toMatchObject({
      outcome: "failed",
      errorKind: "unknown",
      message: "it broke",
      output: "partial",
    });
  });

  it("floods stderr is heard to the end, and long lines are cut", async () => {
    const driver = stubDriver(
      "flood",
      `for (let i = 0; i < 20000; i += 1) console.error("line " + i + " ".repeat(100));
       console.error("x".repeat(1_000_000)); console.error("the end");`,
    );
    const run = world.start({ credential: scripted(), driver });
    expect((await run.ended).status).toBe(0);
    const lines = run.said.flatMap(({ driver: line }) => line ?? []);
    expect(lines).toHaveLength(20_002);
    expect(lines.at(-1)).toBe("the end");
    expect(lines.at(-2)?.length).toBeLessThan(17_000);
    expect(lines.at(-2)).toContain("983808 characters left out");
  });
});

describe("a run whose runtime", () => {
  it("is missing says so in one line", async () => {
    const { status, result } = await world.start({ runtimePath: "/nowhere/copilot-runtime" }).ended;
    expect(status).toBe(1);
    expect(result).toMatchObject({
      errorKind: "runtime-missing",
      message: "There is no Copilot runtime at /nowhere/copilot-runtime.",
    });
  });

  it("is killed in the middle of a turn is reported as that, at once", async () => {
    const run = world.start({ credential: { kind: "scripted", environment: hanging.environment } });
    await run.until(says("sending the prompt"));
    const pid = run.said.flatMap(({ started }) => started?.pid ?? []).at(0) ?? 0;
    process.kill(pid, "SIGKILL");
    const { status, result } = await run.ended;
    expect(status).toBe(1);
    expect(result).toMatchObject({
      outcome: "failed",
      errorKind: "runtime-crashed",
      message: "The Copilot runtime ended during the run (signal SIGKILL).",
    });
  });

  it("dies before anything happened is started again, with a fresh one, as often as allowed", async () => {
    const runtimePath = stubRuntime("dies", `console.error("no luck today"); process.exit(9);`);
    const run = world.start({ runtimePath, retries: 1 });
    const { result } = await run.ended;
    expect(result).toMatchObject({ attempts: 2, errorKind: "runtime-crashed" });
    expect(run.logs()).toContain("trying again kind=runtime-crashed attempt=2");
    expect(run.logs()).toContain('not trying again kind=runtime-crashed why="no retry is left"');
    expect(run.logs()).toContain('the Copilot runtime said line="no luck today"');
  });
});

describe("what cannot be sealed", () => {
  it("is said once, with the reason, when it is the runtime", async () => {
    const runtimePath = stubRuntime("readable", answersHandshake);
    const driver = stubDriver("fails", `process.exit(1);`);
    const run = world.start({ runtimePath, driver, retries: 1 });
    expect((await run.ended).result).toMatchObject({ sealed: false });
    expect(run.logs().match(/the Copilot runtime is not sealed why=/g)).toHaveLength(1);
    expect(run.logs()).not.toContain("this process is not sealed");
  });

  it("is said once, with the reason, when it is the harness", async () => {
    const bare = createHarnessWorld();
    rmSync(join(bare.compiled.folder, "dist/native"), { recursive: true });
    const driver = [process.execPath, bare.write("quick.mjs", `console.log("An answer.");`)] as const;
    const run = bare.start({ driver });
    expect((await run.ended).result).toMatchObject({ outcome: "completed", sealed: false });
    expect(run.logs().match(/this process is not sealed why=".* is not beside the program"/g)).toHaveLength(
      1,
    );
    bare.remove();
  });
});

describe("a failure of the model", () => {
  it("is tried again while the agent has done nothing, and then succeeds", async () => {
    const flag = `${world.folder}/second-time`;
    const driver = stubDriver(
      "recovers",
      `import { existsSync, writeFileSync } from "node:fs";
       const second = existsSync(${JSON.stringify(flag)});
       writeFileSync(${JSON.stringify(flag)}, "");
       writeFileSync(process.env.COPILOT_SDK_RESULT_FILE, JSON.stringify(second
         ? { exitCode: 0, outcome: "completed", output: "now", hasOutput: true, tools: [], denials: [] }
         : { exitCode: 1, outcome: "failed", errorKind: "rate-limit", retryable: true, hasOutput: false, tools: [], denials: [] }));
       console.error(process.env.COPILOT_SDK_SEND_TIMEOUT_MS);
       process.exit(second ? 0 : 1);`,
    );
    const run = world.start({ credential: scripted(), driver, retries: 2 });
    expect((await run.ended).result).toMatchObject({ outcome: "completed", output: "now", attempts: 2 });
    const [first = 0, second = 0] = run.said.flatMap(({ driver: line }) => (line ? [Number(line)] : []));
    expect(first).toBe(90_000);
    expect(second).toBeLessThan(first);
  });

  it("is tried again when the provider says, not when we would", async () => {
    const provider = createServer((_, response) => {
      response.writeHead(429, { "retry-after": "0" });
      response.end();
    }).listen(0, "127.0.0.1");
    await once(provider, "listening");
    const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const driver = stubDriver(
      "asks",
      `import { writeFileSync } from "node:fs";
       const { baseUrl, headers } = JSON.parse(process.env.COPILOT_SDK_PROVIDER);
       await fetch(baseUrl + "/chat", { headers });
       writeFileSync(process.env.COPILOT_SDK_RESULT_FILE, JSON.stringify(
         { exitCode: 1, outcome: "failed", errorKind: "rate-limit", retryable: true, hasOutput: false, tools: [], denials: [] }));
       process.exit(1);`,
    );
    const credential = { kind: "provider", provider: { type: "openai", baseUrl, apiKey: "key" } } as const;
    const run = world.start({ credential, driver, retries: 1 });
    expect((await run.ended).result).toMatchObject({ attempts: 2, providerRequests: 2 });
    expect(run.logs()).toContain("trying again kind=rate-limit attempt=2 delayMs=0");
    provider.close();
  });

  it("of one's own provider that refuses the key gets advice about that key", async () => {
    const provider = createServer((_, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}');
    }).listen(0, "127.0.0.1");
    await once(provider, "listening");
    const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const credential = { kind: "provider", provider: { type: "openai", baseUrl, apiKey: "key" } } as const;
    expect((await world.start({ credential }).ended).result).toMatchObject({
      errorKind: "authentication",
      advice: "Check `provider-api-key` and `provider-base-url`: the provider refused the key.",
    });
    provider.close();
  });

  it.each([
    ["a tool ran", { hasOutput: false, tools: [{ name: "bash", calls: 1 }] }],
    ["an answer came", { hasOutput: true, tools: [] }],
  ])("is not tried again after %s", async (_, did) => {
    const result = {
      exitCode: 1,
      outcome: "failed",
      errorKind: "rate-limit",
      retryable: true,
      denials: [],
      ...did,
    };
    const driver = stubDriver(
      "acted",
      `import { writeFileSync } from "node:fs";
       writeFileSync(process.env.COPILOT_SDK_RESULT_FILE, ${JSON.stringify(JSON.stringify(result))});
       process.exit(1);`,
    );
    const run = world.start({ credential: scripted(), driver, retries: 2 });
    expect((await run.ended).result).toMatchObject({ attempts: 1, errorKind: "rate-limit" });
    expect(run.logs()).toContain('why="the agent has already acted"');
  });

  /** Works until the runtime dies under it, which that does as soon as the driver has done so much. */
  const loseRuntime = (name: string, doing: string): ReturnType<HarnessWorld["start"]> => {
    const flag = `${world.folder}/${name}-worked`;
    const driver = stubDriver(
      name,
      `import { mkdirSync, writeFileSync } from "node:fs";
       const id = "00000000-1111-2222-3333-444444444444";
       const folder = process.env.GH_AW_SESSION_STATE_BASE_DIR + "/" + id;
       const log = (text) => { mkdirSync(folder, { recursive: true }); writeFileSync(folder + "/events.jsonl", text + "\\n"); console.error("session " + id); };
       const leave = (result) => writeFileSync(process.env.COPILOT_SDK_RESULT_FILE, JSON.stringify({ exitCode: 1, hasOutput: false, ...result }));
       ${doing}
       writeFileSync(${JSON.stringify(flag)}, ""); ${forever}`,
    );
    const dies = `const { existsSync, rmSync } = require("node:fs");
      setInterval(() => { if (existsSync("${flag}")) { rmSync("${flag}"); process.exit(9); } }, 20);`;
    const runtimePath = stubRuntime(`dies-after-${name}`, `${answersHandshake} ${dies}`);
    return world.start({ runtimePath, driver, retries: 1 });
  };

  it.each([
    ["the event log shows an action", "acts", `log(JSON.stringify({ type: "tool.execution_start" }));`],
    ["the event log shows one in JSON with blanks", "blanks", `log('{"type": "tool.execution_start"}');`],
    ["there is neither result nor event log", "mute", ""],
    ["the result does not tell of tools, and there is no event log", "vague", "leave({});"],
  ])("is not tried again when %s", async (_, name, doing) => {
    const run = loseRuntime(name, doing);
    expect((await run.ended).result).toMatchObject({ attempts: 1, errorKind: "runtime-crashed" });
    expect(run.logs()).toContain('why="the agent has already acted"');
  });

  it.each([
    ["the event log shows that nothing happened", "idle", `log('{"type":"session.start"}');`],
    ["the result tells that no tool ran", "exact", "leave({ tools: [] });"],
  ])("is tried again when %s", async (_, name, doing) => {
    const run = loseRuntime(name, doing);
    expect((await run.ended).result).toMatchObject({ attempts: 2, errorKind: "runtime-crashed" });
  });

  it("leaves the event log that the driver named", async () => {
    const { result } = await loseRuntime("named", `log('{"type":"assistant.message"}');`).ended;
    expect(result?.eventsFile).toContain("00000000-1111-2222-3333-444444444444/events.jsonl");
  });
});

describe("a signal", () => {
  const phases: [
    string,
    () => ReturnType<HarnessWorld["start"]>,
    (run: ReturnType<HarnessWorld["start"]>) => Promise<unknown>,
  ][] = [
    [
      "while npm installs the runtime",
      () => {
        const bin = world.write("npm", `#!/bin/sh\nexec sleep 600`);
        const path = `${world.folder}:${process.env["PATH"]}`;
        expect(bin).toBe(`${world.folder}/npm`);
        return world.start(
          { runtimePath: undefined, toolCache: `${world.folder}/empty-cache` },
          { PATH: path },
        );
      },
      (run) => run.until(says("installing the Copilot runtime")),
    ],
    [
      "while the runtime starts",
      () => world.start({ runtimePath: stubRuntime("never-ready", forever) }),
      (run) => run.until(({ started }) => started?.folder !== undefined),
    ],
    [
      "while the runtime leaves the handshake unanswered",
      () => {
        const silent = `require("node:net").createServer(() => console.error("connected"))
          .listen(0, "127.0.0.1", function () { console.log("listening on port " + this.address().port); });`;
        return world.start({ runtimePath: stubRuntime("silent", silent) });
      },
      (run) => run.until(({ started }) => started?.folder !== undefined),
    ],
    [
      "while a driver and a runtime work that hear no signal",
      () =>
        world.start({
          runtimePath: stubRuntime("deaf-runtime", `${deaf} ${answersHandshake}`),
          driver: stubDriver("deaf-driver", `${deaf} console.error("deaf"); ${forever}`),
        }),
      (run) => run.until(says("deaf")),
    ],
    [
      "while our driver waits for the model",
      () => world.start({ credential: { kind: "scripted", environment: hanging.environment } }),
      (run) => run.until(says("sending the prompt")),
    ],
    [
      "while the run waits to try again",
      () => world.start({ runtimePath: stubRuntime("dies-again", "process.exit(9);"), retries: 9 }),
      (run) => run.until(says("trying again")),
    ],
  ];
  it.each(phases)("%s ends everything: SIGTERM is 143", async (_, start, phase) => {
    const run = start();
    await phase(run);
    run.child.kill("SIGTERM");
    const { status, result } = await run.ended;
    expect(status).toBe(143);
    expect(result).toMatchObject({
      outcome: "cancelled",
      errorKind: "cancelled",
      message: "Cancelled by SIGTERM.",
    });
  });

  it("during the clean-up ends that at once, and what the run has come to stands", async () => {
    const stubborn = `process.on("SIGTERM", () => require("node:fs").writeFileSync("${world.folder}/asked", "")); ${answersHandshake}`;
    const run = world.start({
      runtimePath: stubRuntime("stubborn", stubborn),
      driver: stubDriver("quick", `console.log("An answer.");`),
    });
    while (!existsSync(`${world.folder}/asked`)) await wait(10);
    run.child.kill("SIGTERM");
    expect((await run.ended).result).toMatchObject({ outcome: "completed", output: "An answer." });
  });

  it("that is SIGINT, sent twice in quick succession, is 130 and lets the driver finish its words", async () => {
    const driver = stubDriver(
      "polite",
      `process.on("SIGINT", () => setTimeout(() => { console.error("flushed"); process.exit(130); }, 200));
       console.error("listening to signals"); ${forever}`,
    );
    const run = world.start({ credential: scripted(), driver });
    await run.until(says("listening to signals"));
    run.child.kill("SIGINT");
    run.child.kill("SIGINT");
    const { status } = await run.ended;
    expect(status).toBe(130);
    expect(run.logs()).toContain("flushed");
  });
});

describe("runs in parallel", () => {
  it("do not disturb each other, twenty on one machine", async () => {
    const driver = stubDriver(
      "echo",
      `console.log(process.env.COPILOT_SDK_URI + " " + process.env.COPILOT_CONNECTION_TOKEN.length)`,
    );
    const runs = Array.from({ length: 20 }, () => world.start({ credential: scripted(), driver }));
    const ends = await Promise.all(runs.map((run) => run.ended));
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 0));
    const uris = ends.map(({ result }) => result?.output.split(" ")[0]);
    expect(new Set(uris).size).toBe(20);
    const tokens = runs.flatMap(({ said }) => said.flatMap(({ mask }) => mask ?? []));
    expect(new Set(tokens).size).toBe(20);
  });
});
