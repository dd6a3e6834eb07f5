/** Arguments → command → exit code. */

import { Failure, messageOf } from "../errors.ts";
import type { Environment } from "../settings/problems.ts";
import { version } from "../version.ts";
import { commands } from "./commands.ts";
import { nearest } from "../nearest.ts";

const usage = (): string => {
  const names = Object.keys(commands);
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${commands[name]!.summary}`);
  return `Usage: copilot-driver <command> [options]

Commands:
${lines.join("\n")}

Options:
  -h, --help  Show this, or the help of a command with its options, exit codes and examples
  --version   Show the version

Exit codes: 0 it worked, 1 it failed, 2 wrong options, 3 too much was denied, 124 timed out, 128+n ended by signal n.
The latest 50 runs are kept in ~/.local/state/copilot-driver/runs ($XDG_STATE_HOME, on Windows %LOCALAPPDATA%).
In a clone of the repository, copilot-driver is \`node dist/cli.js\`.
`;
};

const refuse = (message: string): number => {
  process.stderr.write(`copilot-driver: ${message}\n`);
  return 2;
};

const unknown = (what: string, word: string, known: readonly string[]): number => {
  const near = nearest(word, known);
  return refuse(
    `Unknown ${what} '${word}'.${near === undefined ? "" : ` Did you mean ${near}?`} See --help for all.`,
  );
};

const synonyms: Readonly<Record<string, string>> = {
  help: "--help",
  "-h": "--help",
  version: "--version",
  "-v": "--version",
};

/** `help run` is `run --help`. */
const asCommand = ([name = "", ...args]: readonly string[]): string[] =>
  name === "help" && args[0] !== undefined
    ? [args[0], "--help"]
    : [Object.hasOwn(synonyms, name) ? synonyms[name]! : name, ...args];

/** What follows `--` belongs to somebody else. */
const wantsHelp = (args: readonly string[]): boolean => {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  return own.includes("-h") || own.includes("--help");
};

/** A full disk or a missing folder is told in one line; only our own mistakes deserve a stack trace. */
const isOfTheSystem = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && "code" in error;

export const runCommandLine = async (words: string[], environment: Environment): Promise<number> => {
  const [name = "", ...args] = asCommand(words);
  if (name === "--version") {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (name === "--help") {
    process.stdout.write(usage());
    return 0;
  }
  if (name === "") {
    process.stderr.write(usage());
    return 2;
  }
  if (name.startsWith("-")) return unknown("option", name, ["--help", "--version"]);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return unknown("command", name, Object.keys(commands));
  try {
    const { help, run } = await command.load();
    if (!wantsHelp(args)) return await run(args, environment);
    process.stdout.write(help);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure) && !isOfTheSystem(error)) throw error;
    const failure = error instanceof Failure ? error : new Failure("configuration", messageOf(error));
    const advice = failure.kind === "configuration" ? "" : `\n${failure.advice}`;
    process.stderr.write(`copilot-driver ${name}: ${failure.message}${advice}\n`);
    return failure.exitCode;
  }
};
