/** Finds the event log and the result that a path means, and reads what was asked in a log, whatever its size. */
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import { linesOf } from "../lines.ts";
import { collectRequests, type RecordedRequests } from "../report/recorded-requests.ts";
import { createWords } from "../report/words.ts";
import { readSurroundings } from "../settings/command-line.ts";
import type { Environment } from "../settings/problems.ts";
import { keptRuns } from "./run-folder.ts";

export type RecordedFiles = { name: string; log: string; result: string | undefined };

type Recorded = RecordedFiles | { missing: string };

const { count } = createWords();

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

const resultName = "result.json";

const resultIn = (folder: string): string | undefined => {
  const file = join(folder, resultName);
  return existsSync(file) ? file : undefined;
};

/** A path is a log, the folder of a run, or its result. Logs are all called the same: their folder tells them apart. */
const recordedFiles = (path: string): Recorded => {
  try {
    const isFile = !statSync(path).isDirectory();
    if (isFile && basename(path) !== resultName) {
      const name = basename(path) === logName ? basename(dirname(resolve(path))) : basename(path);
      return { name, log: path, result: resultIn(dirname(path)) };
    }
    const folder = isFile ? dirname(resolve(path)) : path;
    const log = logIn(folder);
    if (log !== undefined) return { name: basename(resolve(folder)), log, result: resultIn(folder) };
  } catch (error) {
    throw new Failure("configuration", `Cannot read ${path} (${messageOf(error)}).`);
  }
  return { missing: `There is no ${logName} in ${path}.` };
};

const isThere = (recorded: Recorded): recorded is RecordedFiles => "log" in recorded;

/** A run that failed before its session began left no log. */
const latestRun = (runsFolder: string): RecordedFiles => {
  for (const folder of keptRuns(runsFolder)) {
    const recorded = recordedFiles(folder);
    if (isThere(recorded)) return recorded;
  }
  throw new Failure("configuration", `There is no run in ${runsFolder} yet: give an event log.`);
};

/** What the caller named, or the latest run on this machine. Of several folders, those without a log are passed over. */
export const recordedRuns = (paths: readonly string[], environment: Environment): RecordedFiles[] => {
  if (paths.length === 0) return [latestRun(readSurroundings(environment).runsFolder)];
  const all = paths.map(recordedFiles);
  const missing = all.flatMap((recorded) => (isThere(recorded) ? [] : [recorded.missing]));
  const found = all.filter(isThere);
  if (found.length === 0) throw new Failure("configuration", missing.join("\n"));
  for (const text of missing) process.stderr.write(`Passed over: ${text}\n`);
  return found;
};

export const readResult = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure("configuration", `Cannot read the result ${file} (${messageOf(error)}).`);
  }
};

export const notALog = (file: string): Failure =>
  new Failure("configuration", `${file} is not an event log: no line of it is an event.`);

/** The permission requests of a log. */
export const readRequests = async (file: string): Promise<RecordedRequests> => {
  const collected = collectRequests();
  try {
    for await (const line of linesOf(createReadStream(file))) collected.addLine(line);
  } catch (error) {
    throw new Failure("configuration", `Cannot read ${file} (${messageOf(error)}).`);
  }
  const recorded = collected.finish();
  const { events, unreadable } = recorded;
  if (events === 0) throw notALog(file);
  if (unreadable > 0) process.stderr.write(`${count(unreadable, "line")} of ${file} could not be read.\n`);
  return recorded;
};
