import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cancellation } from "../../src/harness/cancellation.ts";
import { liveGroupLeaders } from "../../src/harness/process-group.ts";
import { runHarness } from "../../src/harness/run.ts";
import type { HarnessSettings } from "../../src/harness/settings.ts";
import { createLog } from "../../src/log.ts";
import { compileSources } from "../support/compiled.ts";

describe("a process that is to be cancelled but hangs", () => {
  it("is told to hurry, then that it is overdue, and then ends all the same", async () => {
    const compiled = compileSources();
    try {
      const program = `
        const { watchSignals } = await import(${JSON.stringify(compiled.fileOf("harness/cancellation.ts"))});
        const { signal, hurry, overdue, dispose } = watchSignals();
        signal.onabort = () => console.log(signal.reason);
        hurry.onabort = () => console.log("hurry");
        overdue.onabort = () => { console.log("overdue"); dispose(); };
        setInterval(() => {}, 1000);
        console.log("watching");`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (text.includes("watching")) child.kill("SIGTERM");
        said += text;
      });
      const status = await new Promise((resolve) => child.once("close", resolve));
      expect(said.trim().split("\n")).toEqual(["watching", "SIGTERM", "hurry", "overdue"]);
      expect(status).toBe(143);
    } finally {
      compiled.remove();
    }
  });
});

describe("a cancelled run", () => {
  const folder = mkdtempSync(join(tmpdir(), "cancelled-"));
  const temporary = join(folder, "tmp");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const controllers = () => ({
    signal: new AbortController(),
    hurry: new AbortController(),
    overdue: new AbortController(),
  });
  const write = (name: string, code: string): string => {
    writeFileSync(join(folder, name), `#!/usr/bin/env node\n${code}`, { mode: 0o755 });
    return join(folder, name);
  };
  const ready = join(folder, "ready");
  const deaf = `for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {});
    setInterval(() => {}, 1000);
    require("node:fs").writeFileSync(${JSON.stringify(ready)}, "");`;

  /** A runtime that never gets ready and hears no signal. */
  const start = (given: ReturnType<typeof controllers>, changes: Partial<HarnessSettings> = {}) => {
    mkdirSync(temporary, { recursive: true });
    const said: string[] = [];
    const cancellation: Cancellation = {
      signal: given.signal.signal,
      hurry: given.hurry.signal,
      overdue: given.overdue.signal,
      dispose: () => undefined,
    };
    const result = runHarness(
      {
        prompt: "x",
        model: "m",
        credential: { kind: "scripted", environment: {} },
        workspace: folder,
        parentEnvironment: { PATH: process.env["PATH"] },
        timeLimit: { kind: "default" },
        runtimePath: write("deaf", deaf),
        toolCache: folder,
        eventLogBase: join(folder, "events"),
        temporaryDirectory: temporary,
        logLevel: "info",
        ...changes,
      },
      {
        log: createLog({ prefix: "test", level: "info", write: (text) => said.push(text) }),
        mask: () => undefined,
      },
      cancellation,
    );
    return { result, said };
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it("kills at once what does not end, when it is to hurry", async () => {
    const [listening, asked, outlived] = ["listening", "asked", "outlived"].map((name) => join(folder, name));
    const answersHandshake = `require("node:net").createServer((socket) => socket.once("data", () => {
      const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
      socket.end("Content-Length: " + body.length + "\\r\\n\\r\\n" + body);
    })).listen(0, "127.0.0.1", function () { console.log("listening on port " + this.address().port); });`;
    const stubborn = `const { writeFileSync } = require("node:fs");
      process.on("SIGTERM", () => {
        setTimeout(() => writeFileSync("${outlived}", ""), 4_000);
        writeFileSync("${asked}", "");
      });
      setInterval(() => {}, 1000);
      writeFileSync("${listening}", "");`;
    const given = controllers();
    const { result } = start(given, {
      runtimePath: write("runtime", answersHandshake),
      driver: [process.execPath, write("stubborn.cjs", stubborn)],
    });
    await until(() => existsSync(listening ?? ""));
    given.signal.abort("SIGTERM");
    await until(() => existsSync(asked ?? ""));
    given.hurry.abort();
    expect(await result).toMatchObject({ outcome: "cancelled", exitCode: 143 });
    expect(existsSync(outlived ?? "")).toBe(false);
  });

  it("returns without waiting for what hangs once it is overdue", async () => {
    const given = controllers();
    const { result, said } = start(given);
    await until(() => existsSync(ready));
    given.signal.abort("SIGINT");
    given.overdue.abort();
    expect(await result).toMatchObject({ outcome: "cancelled", exitCode: 130 });
    expect(said.join("")).toContain("ended without waiting for what hangs");
    await until(() => liveGroupLeaders().size === 0);
  });

  it("does not start at all when the signal came before", async () => {
    const given = controllers();
    given.signal.abort("SIGTERM");
    const { result } = start(given);
    expect(await result).toMatchObject({ outcome: "cancelled", exitCode: 143, attempts: 0 });
    expect(liveGroupLeaders().size).toBe(0);
  });

  it("leaves no folder behind", async () => {
    await until(() => readdirSync(temporary).length === 0);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
