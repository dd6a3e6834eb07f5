/** Finds the event log and the result that a path means, and reads a log line by line, whatever its size. */
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import { linesOf } from "../lines.ts";
import { readSurroundings } from "../settings/command-line.ts";
import type { Environment } from "../settings/problems.ts";
import { latestRun } from "./run-folder.ts";

export type RecordedFiles = { name: string; log: string; result: string | undefined };

const logName = "events.jsonl";
const deepest = 3;

/** The driver puts a log below a folder of its session's id: the latest of them counts. */
const logIn = (folder: string, depth = 0): string | undefined => {
  const own = join(folder, logName);
  if (existsSync(own)) return own;
  if (depth === deepest) return undefined;
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isDirectory())
    .flatMap(({ name }) => logIn(join(folder, name), depth + 1) ?? []);
  return found.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
};

const resultIn = (folder: string): string | undefined => {
  const file = join(folder, "result.json");
  return existsSync(file) ? file : undefined;
};

/** A path is a log, or the folder of a run. Logs are all called the same: their folder tells them apart. */
const recordedFiles = (path: string): RecordedFiles => {
  try {
    if (!statSync(path).isDirectory()) {
      const name = basename(path) === logName ? basename(dirname(resolve(path))) : basename(path);
      return { name, log: path, result: resultIn(dirname(path)) };
    }
    const log = logIn(path);
    if (log !== undefined) return { name: basename(resolve(path)), log, result: resultIn(path) };
  } catch (error) {
    throw new Failure("configuration", `Cannot read ${path} (${messageOf(error)}).`);
  }
  throw new Failure("configuration", `There is no ${logName} in ${path}.`);
};

/** What the caller named, or the latest run on this machine. */
export const recordedRuns = (paths: readonly string[], environment: Environment): RecordedFiles[] =>
  (paths.length > 0 ? paths : [latestRun(readSurroundings(environment).runsFolder)]).map(recordedFiles);

export const readLog = async (file: string, addLine: (line: string) => void): Promise<void> => {
  try {
    for await (const line of linesOf(createReadStream(file))) addLine(line);
  } catch (error) {
    throw new Failure("configuration", `Cannot read ${file} (${messageOf(error)}).`);
  }
};
