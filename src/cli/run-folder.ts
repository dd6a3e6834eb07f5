/** Where a run leaves its event log, result and report. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";

const mostKept = 50;

/** The oldest first: names begin with the time. */
const runsIn = (runsFolder: string): string[] => readdirSync(runsFolder).sort();

const forgetOldRuns = (runsFolder: string): void => {
  const runs = runsIn(runsFolder);
  for (const name of runs.slice(0, Math.max(0, runs.length - mostKept)))
    rmSync(join(runsFolder, name), { recursive: true, force: true });
};

export const createRunFolder = (runsFolder: string): string => {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  const folder = join(runsFolder, `${time}-${process.pid}`);
  try {
    makeFolder(folder, { mode: 0o700 });
    forgetOldRuns(runsFolder);
  } catch (error) {
    throw new Failure("configuration", `Cannot keep runs in ${runsFolder} (${messageOf(error)}).`);
  }
  return folder;
};

/** The folders of all runs that are kept, the latest first. */
export const keptRuns = (runsFolder: string): string[] =>
  existsSync(runsFolder)
    ? runsIn(runsFolder)
        .reverse()
        .map((name) => join(runsFolder, name))
    : [];
