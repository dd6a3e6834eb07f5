/** The Copilot runtime as a server on loopback: started, proven ready by the handshake, and stopped. */
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { Failure, messageOf } from "../errors.ts";
import type { Environment } from "./environment.ts";
import { formatOf } from "./executable-format.ts";
import { shakeHands, type Handshake } from "./handshake.ts";
import { createOutputRing } from "./output-ring.ts";
import { describeExit, startGroup, type Exit, type ProcessGroup } from "./process-group.ts";
import { mirrorRuntime, sealOf } from "./seal-runtime.ts";
import type { Seal } from "./seal.ts";

export type SidecarOptions = {
  runtime: string;
  token: string;
  environment: Environment;
  /** What is taken out of its stderr; without them the token. */
  secrets?: readonly string[] | undefined;
  workingDirectory: string;
  /** Without it, a free one. */
  port?: number | undefined;
  /** A private folder for the sealed copy; without it the sidecar is started as it is. */
  sealIn?: string | undefined;
  readyWithinMs?: number | undefined;
  signal?: AbortSignal | undefined;
};

export type Sidecar = {
  uri: string;
  pid: number;
  runtimeVersion: string | undefined;
  seal: Seal;
  exited: Promise<Exit>;
  /** The beginning and the end of what it wrote to stderr. */
  stderr: () => string;
  stop: () => Promise<void>;
};

const defaultPatienceMs = 60_000;
const stopGraceMs = 1_500;

const foreign = (runtime: string): Failure =>
  new Failure(
    "runtime-missing",
    `The Copilot runtime at ${runtime} is not made for this system (${process.platform}-${process.arch}).`,
  );

const explainSpawnError = (runtime: string, error: NodeJS.ErrnoException): Failure => {
  if (!existsSync(runtime))
    return new Failure("runtime-missing", `There is no Copilot runtime at ${runtime}.`);
  // The file is there, so what is missing is the loader that it names.
  if (error.code === "ENOENT") return foreign(runtime);
  const what = error.code === "EACCES" ? "is not executable" : `cannot be started: ${messageOf(error)}`;
  return new Failure("runtime-missing", `The Copilot runtime at ${runtime} ${what}.`);
};

const spawnRuntime = (runtime: string, options: SidecarOptions): Promise<ProcessGroup> =>
  startGroup(runtime, ["--headless", "--no-auto-update", "--port", String(options.port ?? 0)], {
    cwd: options.workingDirectory,
    env: { ...options.environment, COPILOT_CONNECTION_TOKEN: options.token },
    stdio: ["ignore", "pipe", "pipe"],
  });

const spawnSealed = async (options: SidecarOptions): Promise<ProcessGroup> => {
  const { runtime, sealIn } = options;
  const format = formatOf(runtime);
  if (format === "foreign") throw foreign(runtime);
  // A script that cannot be read cannot be run.
  if (sealIn === undefined || process.platform !== "linux" || format !== "binary")
    return spawnRuntime(runtime, options);
  try {
    return await spawnRuntime(mirrorRuntime(runtime, sealIn), options);
  } catch {
    // The temporary folder may forbid execution: then it runs unsealed, and says so.
    return spawnRuntime(runtime, options);
  }
};

/** It says its port itself; a line from anybody else on that port cannot reach us here. */
const announcedPort = (group: ProcessGroup): Promise<number> =>
  new Promise((resolve) => {
    if (group.child.stdout === null) return;
    createInterface({ input: group.child.stdout }).on("line", (line) => {
      const port = /listening on port (\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });

const rejection = (signal: AbortSignal, reason: () => Failure): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(reason());
    signal.addEventListener("abort", () => reject(reason()), { once: true });
  });

const becomeReady = async (
  group: ProcessGroup,
  { token, readyWithinMs = defaultPatienceMs, signal }: SidecarOptions,
): Promise<Handshake & { port: number }> => {
  const patience = AbortSignal.timeout(readyWithinMs);
  const over = new AbortController();
  const handshake = async () => {
    const port = await announcedPort(group);
    return { port, ...(await shakeHands(port, token, over.signal)) };
  };
  const early = group.exited.then((exit): never => {
    throw new Failure(
      "runtime-crashed",
      `The Copilot runtime ended before it was ready (${describeExit(exit)}).`,
    );
  });
  try {
    return await Promise.race([
      handshake(),
      early,
      rejection(
        patience,
        () => new Failure("connection", `The Copilot runtime was not ready within ${readyWithinMs} ms.`),
      ),
      ...(signal === undefined
        ? []
        : [rejection(signal, () => new Failure("cancelled", "Cancelled during the start."))]),
    ]);
  } finally {
    over.abort();
  }
};

/** A failure to start carries what the runtime wrote to stderr as its cause. */
export const startSidecar = async (options: SidecarOptions): Promise<Sidecar> => {
  const group = await spawnSealed(options).catch((error: unknown) => {
    throw error instanceof Failure
      ? error
      : explainSpawnError(options.runtime, error as NodeJS.ErrnoException);
  });
  const ring = createOutputRing(options.secrets ?? [options.token]);
  group.child.stderr?.setEncoding("utf8").on("data", ring.add);
  const stop = async (): Promise<void> => {
    await group.stop("SIGTERM", stopGraceMs);
    group.child.stdout?.destroy();
    group.child.stderr?.destroy();
  };
  try {
    const { port, runtimeVersion } = await becomeReady(group, options);
    return {
      uri: `127.0.0.1:${port}`,
      pid: group.pid,
      runtimeVersion,
      seal: sealOf(group.pid),
      exited: group.exited,
      stderr: ring.text,
      stop,
    };
  } catch (error) {
    await stop();
    const { kind, message } = error as Failure;
    const lastLine = ring.text().trim().split("\n").at(-1);
    throw new Failure(kind, lastLine ? `${message} ${lastLine}` : message, { cause: ring.text() });
  }
};
