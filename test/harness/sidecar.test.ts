import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/errors.ts";
import { shakeHands } from "../../src/harness/handshake.ts";
import { startSidecar, type SidecarOptions } from "../../src/harness/sidecar.ts";
import { projectRoot } from "../support/compiled.ts";

const platform = `${process.platform}-${process.arch}`;
const runtime = join(
  projectRoot,
  "node_modules/@github",
  `copilot-sdk-${platform}`,
  "prebuilds",
  platform,
  "copilot-runtime",
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sidecar-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const start = (changes: Partial<SidecarOptions> = {}) =>
  startSidecar({
    runtime,
    token: "the-right-token",
    environment: { PATH: process.env["PATH"] ?? "", HOME: folder, COPILOT_HOME: join(folder, "home") },
    workingDirectory: folder,
    ...changes,
  });

const failureOf = async (starting: Promise<{ stop: () => Promise<void> }>): Promise<Failure> => {
  try {
    await (await starting).stop();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("It started.");
};

const write = (name: string, content: string | Buffer, mode = 0o755): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
};
const script = (code: string): string => write("runtime", `#!/usr/bin/env node\n${code}`);

describe("the sidecar", () => {
  it("is ready when the handshake with our token succeeded, and gone after stop", async () => {
    const sidecar = await start({ sealIn: join(folder, "sealed") });
    expect(sidecar.runtimeVersion).toMatch(/^\d+\.\d+\.\d+$/);
    const port = Number(sidecar.uri.split(":")[1]);
    const { signal } = new AbortController();
    await expect(shakeHands(port, "the-right-token", signal)).resolves.toHaveProperty("runtimeVersion");
    await expect(shakeHands(port, "the-wrong-token", signal)).rejects.toThrow("AUTHENTICATION_FAILED");
    await sidecar.stop();
    await expect(sidecar.exited).resolves.toEqual({ code: 0, signal: null });
    expect(() => process.kill(sidecar.pid, 0)).toThrow("ESRCH");
  });

  it("runs from a mirror whose executable nobody may read", async () => {
    const sidecar = await start({ sealIn: join(folder, "sealed") });
    const copy = join(folder, "sealed/prebuilds", platform, "copilot-runtime");
    expect(statSync(copy).mode & 0o777).toBe(0o111);
    expect(existsSync(join(folder, "sealed/prebuilds", platform, "runtime.node"))).toBe(true);
    expect(readFileSync(`/proc/${sidecar.pid}/cmdline`, "utf8").startsWith(copy)).toBe(true);
    await sidecar.stop();
  });

  it.each<[string, () => Partial<SidecarOptions>, string, string]>([
    [
      "is missing",
      () => ({ runtime: "/nowhere/it" }),
      "runtime-missing",
      "There is no Copilot runtime at /nowhere/it.",
    ],
    [
      "is not executable",
      () => ({ runtime: write("plain", readFileSync(runtime), 0o644) }),
      "runtime-missing",
      "is not executable.",
    ],
    [
      "is made for another processor",
      () => {
        const other = readFileSync(runtime);
        other.writeUInt16LE(process.arch === "x64" ? 183 : 62, 18);
        return { runtime: write("other", other) };
      },
      "runtime-missing",
      `is not made for this system (${platform}).`,
    ],
    [
      "needs a loader that is not there",
      () => ({ runtime: write("loader", "#!/nowhere/interpreter\n") }),
      "runtime-missing",
      `is not made for this system (${platform}).`,
    ],
    [
      "is no program at all",
      () => ({ runtime: write("text", "hello") }),
      "runtime-missing",
      "is not made for this system",
    ],
    [
      "exits at once",
      () => ({ runtime: script(`console.error("first"); console.error("the reason"); process.exit(7)`) }),
      "runtime-crashed",
      "The Copilot runtime ended before it was ready (exit code 7). the reason",
    ],
    [
      "never says its port",
      () => ({ runtime: script("setInterval(() => {}, 1000)"), readyWithinMs: 500 }),
      "connection",
      "The Copilot runtime was not ready within 500 ms.",
    ],
    [
      "accepts connections but never answers",
      () => ({
        runtime: script(
          `const server = require("net").createServer(() => {}).listen(0, "127.0.0.1", () => console.log("listening on port " + server.address().port))`,
        ),
        readyWithinMs: 1_000,
      }),
      "connection",
      "The Copilot runtime was not ready within 1000 ms.",
    ],
    [
      "answers nonsense",
      () => ({
        runtime: script(
          `const server = require("net").createServer((socket) => socket.write("Content-Length: 3\\r\\n\\r\\n{{{")).listen(0, "127.0.0.1", () => console.log("listening on port " + server.address().port))`,
        ),
      }),
      "connection",
      "malformed",
    ],
  ])("that %s gives one clear line", async (_, changes, kind, message) => {
    const failure = await failureOf(start(changes()));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain("\n");
  });

  it("finds its port taken, says so, and never talks to the one who has it", async () => {
    let visitors = 0;
    const squatter = await new Promise<Server>((resolve) => {
      const server = createServer(() => (visitors += 1)).listen(0, "127.0.0.1", () => resolve(server));
    });
    const failure = await failureOf(start({ port: (squatter.address() as AddressInfo).port }));
    expect(failure.message).toContain("Address already in use");
    expect(visitors).toBe(0);
    squatter.close();
  });

  it("listens on the port that is asked for", async () => {
    const free = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
    });
    const sidecar = await start({ port: free });
    expect(sidecar.uri).toBe(`127.0.0.1:${free}`);
    await sidecar.stop();
  });

  it("is ended when the start is cancelled", async () => {
    const cancel = new AbortController();
    const pidFile = join(folder, "pid");
    const runtime = script(
      `require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`,
    );
    const starting = failureOf(start({ runtime, signal: cancel.signal }));
    while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await new Promise(setImmediate);
    cancel.abort("SIGTERM");
    expect((await starting).kind).toBe("cancelled");
    expect(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0)).toThrow("ESRCH");
  });

  it("keeps both ends of a flood on stderr", async () => {
    const runtime = script(
      `for (let i = 0; i < 50000; i += 1) console.error("line " + i); console.error("the reason"); process.exitCode = 1`,
    );
    const failure = await failureOf(start({ runtime }));
    expect(failure.message).toMatch(/\(exit code 1\)\. the reason$/);
    expect(String(failure.cause).startsWith("line 0\nline 1\n")).toBe(true);
    expect(String(failure.cause).length).toBeLessThan(13_000);
  });
});
