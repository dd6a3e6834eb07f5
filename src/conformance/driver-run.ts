/** One start of the driver under test: its end is certain, its output bounded, and every byte of it is looked at. */
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { Failure, messageOf } from "../errors.ts";
import type { Environment } from "../harness/environment.ts";
import { startGroup } from "../harness/process-group.ts";
import { floodBytes, type Flood } from "./flood.ts";

export type End =
  | { kind: "exited"; code: number }
  | { kind: "signalled"; signal: NodeJS.Signals }
  | { kind: "hung"; afterMs: number }
  | { kind: "flooded"; bytes: number };

export type DriverRun = { end: End; stdout: string; stderr: string };

export type DriverRunOptions = {
  command: readonly [string, ...string[]];
  environment: Environment;
  workingDirectory: string;
  deadlineMs: number;
  flood: Flood;
  /** Called with overlapping pieces of everything that the driver prints. */
  onOutput: (text: string) => void;
};

const keptCharacters = 1024 * 1024;
/** Nothing that we look for is longer, so that nothing is missed between two pieces. */
const overlap = 512;
const drainMs = 500;

const capture = (
  stream: Readable | null,
  onOutput: (text: string) => void,
  onBytes: (count: number) => void,
) => {
  let kept = "";
  let previous = "";
  stream?.setEncoding("utf8").on("data", (text: string) => {
    onBytes(text.length);
    kept += text.slice(0, keptCharacters - kept.length);
    onOutput(previous + text);
    previous = (previous + text).slice(-overlap);
  });
  return () => kept;
};

export const runDriverUnderTest = async (options: DriverRunOptions): Promise<DriverRun> => {
  const [command, ...args] = options.command;
  const group = await startGroup(command, args, {
    cwd: options.workingDirectory,
    env: options.environment,
    stdio: ["ignore", "pipe", "pipe"],
  }).catch((error: unknown) => {
    throw new Failure("configuration", `The driver ${command} cannot be started: ${messageOf(error)}`);
  });
  const over = new AbortController();
  const after = (ms: number) => wait(ms, undefined, { signal: over.signal }).catch(() => undefined);
  const closed = new Promise<void>((resolve) => group.child.once("close", () => resolve()));

  const { flood, onOutput } = options;
  const stdout = capture(group.child.stdout, onOutput, flood.count);
  const stderr = capture(group.child.stderr, onOutput, flood.count);
  const flooded = once(flood.signal, "abort", { signal: over.signal }).catch(() => undefined);
  const end = await Promise.race<End>([
    group.exited.then(({ code, signal }) =>
      signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal },
    ),
    after(options.deadlineMs).then(() => ({ kind: "hung", afterMs: options.deadlineMs })),
    flooded.then(() => ({ kind: "flooded", bytes: floodBytes })),
  ]);
  await group.stop("SIGKILL", 0);
  // A descendant may hold the pipes open: then what has arrived is all there is.
  await Promise.race([closed, after(drainMs)]);
  over.abort();
  group.child.stdout?.destroy();
  group.child.stderr?.destroy();
  return { end, stdout: stdout(), stderr: stderr() };
};
