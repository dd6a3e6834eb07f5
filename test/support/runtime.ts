/** The real runtime with its own home and workspace, driven through the SDK, for tests. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  CopilotClient,
  RuntimeConnection,
  type PermissionHandler,
  type SessionConfig,
  type SessionEvent,
} from "@github/copilot-sdk";
import { withDescendants } from "./descendants.ts";
import { kill } from "./end-group.ts";

const runtimeBinary = (): string => {
  const platform = `${process.platform}-${process.arch}`;
  const manifest = fileURLToPath(import.meta.resolve(`@github/copilot-sdk-${platform}/package.json`));
  return join(dirname(manifest), "prebuilds", platform, "copilot-runtime");
};

export type Runtime = {
  uri: string;
  pid: number;
  token: string;
  workspace: string;
  home: string;
  /** What the runtime printed, for the message of a failing test. */
  output: () => string;
  stop: () => Promise<void>;
};

/** Environment: what a sidecar needs beyond its own home, for example that of a scripted API. */
export const startRuntime = async (
  environment: Record<string, string>,
  binary = runtimeBinary(),
): Promise<Runtime> => {
  const root = mkdtempSync(join(tmpdir(), "runtime-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const token = randomUUID();
  const child = spawn(binary, ["--headless", "--no-auto-update", "--port", "0"], {
    cwd: workspace,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      COPILOT_HOME: home,
      COPILOT_CONNECTION_TOKEN: token,
      ...environment,
    },
  });
  const lines: string[] = [];
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stderr.on("data", (data: Buffer) => lines.push(data.toString()));
  const port = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(`The runtime ended early: ${lines.join("\n")}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      const port = /listening on port (\d+)/.exec(line)?.[1];
      if (port) resolve(port);
    });
  });
  return {
    uri: `127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    token,
    workspace,
    home,
    output: () => lines.join("\n"),
    stop: async () => {
      // The agent's shells lead groups of their own.
      if (child.pid && child.exitCode === null && child.signalCode === null)
        withDescendants(child.pid).forEach(kill);
      await ended;
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

export const approveAll: PermissionHandler = () => ({ kind: "approve-once" });
export const denyAll: PermissionHandler = () => ({
  kind: "reject",
  feedback: "Not allowed by workflow tool permissions.",
});

export type Observed = { events: SessionEvent[]; error?: Error };

/** One session from prompt to idle (or error), with every event that it emitted. */
export const runSession = async (
  runtime: Runtime,
  options: Partial<SessionConfig> & { prompt?: string; timeoutMs?: number },
): Promise<Observed> => {
  const { prompt = "Do the work.", timeoutMs = 30_000, ...session } = options;
  const client = new CopilotClient({
    connection: RuntimeConnection.forUri(runtime.uri, { connectionToken: runtime.token }),
  });
  const events: SessionEvent[] = [];
  await client.start();
  try {
    const handle = await client.createSession({
      workingDirectory: runtime.workspace,
      streaming: true,
      ...session,
    });
    handle.on((event) => events.push(event));
    const error = await handle.sendAndWait({ prompt }, timeoutMs).then(
      () => undefined,
      (cause: unknown) => cause as Error,
    );
    if (error?.message.startsWith("Timeout after")) await handle.abort();
    // Detaching alone ends the subscription before the runtime has said what the session cost.
    await handle.rpc.shutdown({});
    await handle.disconnect();
    return { events, ...(error && { error }) };
  } finally {
    await client.stop();
  }
};
