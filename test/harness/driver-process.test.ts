import { setTimeout as wait } from "node:timers/promises";
import { listProcesses } from "../../src/harness/process-table.ts";
import { runDriver, type DriverEnd, type DriverOptions } from "../../src/harness/driver-process.ts";

const forever = "setInterval(() => {}, 1000);";
const never = new Promise<never>(() => undefined);

const run = (code: string, changes: Partial<DriverOptions> = {}): Promise<DriverEnd> =>
  runDriver({
    command: [process.execPath, "--input-type=module", "-e", code],
    environment: { PATH: process.env["PATH"] ?? "" },
    workingDirectory: process.cwd(),
    deadlineMs: 60_000,
    secrets: [],
    signal: new AbortController().signal,
    sidecarExited: never,
    onStart: () => undefined,
    onLine: () => undefined,
    ...changes,
  });

describe("a driver process", () => {
  it("that hangs is asked to end when its deadline has passed", async () => {
    const code = `process.on("SIGTERM", () => { console.error("bye"); process.exit(124); }); ${forever}`;
    const end = await run(code, { deadlineMs: 1_000 });
    expect(end).toMatchObject({ interruption: "deadline", exit: { code: 124 }, stderr: "bye\n" });
  });

  it("that ignores the request is ended by force", async () => {
    const code = `process.on("SIGTERM", () => console.error("ignored")); ${forever}`;
    const end = await run(code, { deadlineMs: 1_000 });
    expect(end).toMatchObject({
      interruption: "deadline",
      exit: { code: null, signal: "SIGKILL" },
      stderr: "ignored\n",
    });
  });

  it("takes its children with it, also those that hold its pipes and hear no request", async () => {
    const code = `import { spawn } from "node:child_process";
      const deaf = "trap '' TERM; echo $$; exec sleep 600";
      const child = spawn("/bin/sh", ["-c", deaf], { stdio: ["ignore", "pipe", "inherit"] });
      child.stdout.once("data", (pid) => process.stdout.write(pid, () => process.exit(5)));`;
    const end = await run(code);
    expect(end.exit.code).toBe(5);
    const isAlive = () =>
      listProcesses().some(({ pid, isZombie }) => pid === Number(end.stdout) && !isZombie);
    for (let patience = 40; patience > 0 && isAlive(); patience -= 1) await wait(50);
    expect(isAlive()).toBe(false);
  });

  it("gets the signal that cancels the run, as it is", async () => {
    const cancel = new AbortController();
    const code = `process.on("SIGINT", () => { console.error("interrupted"); process.exit(130); }); console.error("up"); ${forever}`;
    const end = await run(code, {
      signal: cancel.signal,
      onLine: (line) => {
        if (line === "up") cancel.abort("SIGINT");
      },
    });
    expect(end).toMatchObject({
      interruption: "cancelled",
      exit: { code: 130 },
      stderr: "up\ninterrupted\n",
    });
  });

  it("may write its last words when the sidecar has gone, and no longer", async () => {
    const gone = Promise.resolve({ code: 1, signal: null });
    const words = await run(`setTimeout(() => { console.error("written"); process.exit(1); }, 100);`, {
      sidecarExited: gone,
    });
    expect(words).toMatchObject({ interruption: "sidecar-exited", exit: { code: 1 }, stderr: "written\n" });
    const mute = await run(forever, { sidecarExited: gone });
    expect(mute).toMatchObject({ interruption: "sidecar-exited", exit: { signal: "SIGTERM" } });
  });

  it("has an answer that is bounded, and characters that are never torn", async () => {
    const end = await run(`process.stdout.write("ä".repeat(20 * 1024 * 1024))`);
    expect(end.stdout).toHaveLength(16 * 1024 * 1024);
    expect(/^ä+$/.test(end.stdout)).toBe(true);
  });

  it("gives away no part of a secret where its lines and its answer are cut", async () => {
    const secret = "0918273645102938475607564738291";
    const lines: string[] = [];
    const code = `const secret = ${JSON.stringify(secret)};
      for (let part = 0; part <= secret.length; part += 1)
        console.error(secret.repeat(9) + "x".repeat(16384 - 9 * secret.length - part) + secret.repeat(9));
      process.stdout.write("x".repeat(16 * 1024 * 1024 - 20) + secret);`;
    const end = await run(code, { secrets: [secret], onLine: (line) => lines.push(line) });
    expect(lines).toHaveLength(secret.length + 1);
    for (const text of [...lines, end.stdout, end.stderr])
      expect(text.replaceAll(/\d+ characters left out/g, "")).not.toMatch(/\d/);
  });
});
