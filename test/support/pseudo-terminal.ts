/**
 * A program on a real pseudo-terminal, and the screen that a person would see.
 * Nothing but what npm installs: the system's own calls through koffi, which the SDK brings, and xterm's emulator.
 */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { constants } from "node:os";
import { ReadStream } from "node:tty";
import xterm from "@xterm/headless";
import koffi from "koffi";
import { withDescendants } from "./descendants.ts";

const system = koffi.load(null);
const openMaster = system.func("int posix_openpt(int)") as (flags: number) => number;
const grant = system.func("int grantpt(int)") as (master: number) => number;
const unlock = system.func("int unlockpt(int)") as (master: number) => number;
const nameOfSlave = system.func("str ptsname(int)") as (master: number) => string;
const control = system.func("int ioctl(int, ulong, ...)") as (
  master: number,
  request: number,
  type: "void *",
  value: Buffer,
) => number;

const readWrite = 2;
const setSize = process.platform === "darwin" ? 0x80087467 : 0x5414;

/** Only a session's first process can make a terminal its own, which it does by opening it. */
const inTerminal = 'terminal=$1; stdout=$2; shift 2; exec "$@" <>"$terminal" 2>&0 >"$stdout"';

export type Size = { columns: number; rows: number };

export type OnTerminal = {
  /** The lines of the screen and above, without what is blank at their end. */
  screen: () => string[];
  emulator: xterm.Terminal;
  /** Every byte that was written to the terminal. */
  bytes: () => string;
  /** Resolves as soon as the screen is so, and rejects if the program ends before. */
  until: (isSo: (screen: string[]) => boolean) => Promise<void>;
  type: (keys: string) => void;
  resize: (size: Size) => void;
  /** All processes that it has started so far and that still run, itself included. */
  processes: () => number[];
  ended: Promise<number | null>;
  /** Ends it, should it still run. */
  close: () => Promise<void>;
};

const signalled = (signal: NodeJS.Signals | null): number | null =>
  signal === null ? null : 128 + constants.signals[signal];

export const startOnTerminal = (
  command: readonly string[],
  options: { size: Size; cwd: string; environment: Record<string, string | undefined>; stdout?: string },
): OnTerminal => {
  const { size, cwd, environment } = options;
  const master = openMaster(readWrite);
  if (master < 0 || grant(master) !== 0 || unlock(master) !== 0) throw new Error("No pseudo-terminal");
  const slave = nameOfSlave(master);
  const emulator = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: 1000,
    allowProposedApi: true,
  });

  const resize = ({ columns, rows }: Size): void => {
    const value = Buffer.from(Uint16Array.of(rows, columns, 0, 0).buffer);
    if (control(master, setSize, "void *", value) !== 0) throw new Error("The terminal keeps its size");
    emulator.resize(columns, rows);
  };
  resize(size);

  const { stdout = slave } = options;
  const child = spawn("/bin/sh", ["-c", inTerminal, "sh", slave, stdout, ...command], {
    cwd,
    env: environment,
    detached: true,
    stdio: "ignore",
  });
  const { pid = 0 } = child;
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signalled(signal)));
  });

  const screen = (): string[] => {
    const { active } = emulator.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, index) => active.getLine(index)?.translateToString(true) ?? "",
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  };

  let written = "";
  const watchers = new Set<() => void>();
  const drained = new Promise<void>((resolve) => {
    const output = new ReadStream(master);
    output.on("data", (data: Buffer) => {
      written += data.toString("latin1");
      emulator.write(data, () => watchers.forEach((look) => look()));
    });
    // When nobody has the terminal open any more, reading from it fails.
    output.once("error", () => output.destroy());
    output.once("close", () => emulator.write("", resolve));
  });
  const ended = exited.then(async (code) => {
    await drained;
    return code;
  });

  return {
    screen,
    emulator,
    bytes: () => Buffer.from(written, "latin1").toString(),
    until: (isSo) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!isSo(screen())) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
        void ended.then(() => reject(new Error(`It ended with this on the screen:\n${screen().join("\n")}`)));
      }),
    type: (keys) => void writeSync(master, keys),
    resize,
    processes: () => withDescendants(pid),
    ended,
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGHUP");
      await ended;
    },
  };
};
