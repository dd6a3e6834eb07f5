/** The driver, ours or any that conforms, as a process: its lines handed on, its time bounded, its end certain. */
import type { Duplex, Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { Failure, messageOf } from "../errors.ts";
import { createCut, type Cut } from "./cut.ts";
import type { Environment } from "./environment.ts";
import { handOver, secretsDescriptor, type Secrets } from "./hand-over.ts";
import { createOutputRing } from "./output-ring.ts";
import { startGroup, type Exit, type ProcessGroup } from "./process-group.ts";

export type DriverOptions = {
  command: readonly [string, ...string[]];
  environment: Environment;
  /** What a driver that seals itself gets afterwards; others have it in their environment. */
  handedOver?: Secrets | undefined;
  workingDirectory: string;
  deadlineMs: number;
  /** What nothing that the driver says may hold. */
  secrets: readonly string[];
  onStart: (pid: number) => void;
  onLine: (line: string) => void;
  /** Aborted with the name of the signal to forward. */
  signal: AbortSignal;
  /** The sidecar's end: the driver cannot go on, but may still write down what it has. */
  sidecarExited: Promise<Exit>;
};

/** What made the driver end, when it was not the driver itself. */
export type Interruption = "none" | "cancelled" | "deadline" | "sidecar-exited";

export type DriverEnd = {
  exit: Exit;
  interruption: Interruption;
  /** The answer, as far as it fits. */
  stdout: string;
  stderr: string;
};

const stopGraceMs = 5_000;
const lastWordsMs = 3_000;
const longestLine = 16 * 1024;
const longestAnswer = 16 * 1024 * 1024;
const drainMs = 500;

/** Lines of bounded length, however long the line; what is cut off says so. */
const readLines = (stream: Readable, cut: Cut, onLine: (line: string) => void): void => {
  let line = "";
  let length = 0;
  const shown = (): string => {
    if (length === line.length) return cut.whole(line);
    const beginning = cut.beginning(line);
    return `${beginning} … ${length - beginning.length} characters left out`;
  };
  const finish = (): void => {
    onLine(shown());
    line = "";
    length = 0;
  };
  stream.setEncoding("utf8").on("data", (text: string) => {
    const [first = "", ...rest] = text.split(/\r?\n/);
    const append = (part: string): void => {
      line += part.slice(0, longestLine - line.length);
      length += part.length;
    };
    append(first);
    for (const part of rest) {
      finish();
      append(part);
    }
  });
  stream.on("end", () => {
    if (line !== "") finish();
  });
};

const readAnswer = (stream: Readable, cut: Cut): (() => string) => {
  let text = "";
  let length = 0;
  stream.setEncoding("utf8").on("data", (part: string) => {
    text += part.slice(0, longestAnswer - text.length);
    length += part.length;
  });
  return () => (length === text.length ? cut.whole(text) : cut.beginning(text));
};

const start = (options: DriverOptions): Promise<ProcessGroup> => {
  const [command, ...args] = options.command;
  return startGroup(command, args, {
    cwd: options.workingDirectory,
    env: options.environment,
    stdio: ["ignore", "pipe", "pipe", ...(options.handedOver ? ["pipe" as const] : [])],
  }).catch((error: unknown) => {
    throw new Failure("configuration", `The driver ${command} cannot be started: ${messageOf(error)}`);
  });
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

export const runDriver = async (options: DriverOptions): Promise<DriverEnd> => {
  const group = await start(options);
  options.onStart(group.pid);
  const { stdout, stderr } = group.child;
  const channel = group.child.stdio[secretsDescriptor] as Duplex | undefined;
  if (channel && options.handedOver) handOver(channel, options.handedOver);
  const closed = new Promise<void>((resolve) => group.child.once("close", () => resolve()));
  const ring = createOutputRing();
  const cut = createCut(options.secrets);
  const answer = stdout === null ? () => "" : readAnswer(stdout, cut);
  if (stderr !== null)
    readLines(stderr, cut, (line) => {
      ring.add(`${line}\n`);
      options.onLine(line);
    });

  const over = new AbortController();
  const after = (ms: number): Promise<void> =>
    wait(ms, undefined, { signal: over.signal }).catch(() => undefined);
  const cancelled = aborted(options.signal);
  const interruption = await Promise.race<Interruption>([
    group.exited.then(() => "none"),
    cancelled.then(() => "cancelled"),
    after(options.deadlineMs).then(() => "deadline"),
    options.sidecarExited.then(() => "sidecar-exited"),
  ]);
  if (interruption === "sidecar-exited") await Promise.race([group.exited, after(lastWordsMs), cancelled]);
  const signal = interruption === "cancelled" ? (options.signal.reason as NodeJS.Signals) : "SIGTERM";
  const exit = await group.stop(signal, stopGraceMs);
  // A descendant of the driver may hold the pipes open: then what has arrived is all there is.
  await Promise.race([closed, after(drainMs)]);
  over.abort();
  stdout?.destroy();
  stderr?.destroy();
  channel?.destroy();
  return { exit, interruption, stdout: answer(), stderr: ring.text() };
};
