/** Where a run leaves its event log, result and report. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";

const keptRuns = 50;

/** The oldest go first: names begin with the time. */
const forgetOldRuns = (runsFolder: string): void => {
  const runs = readdirSync(runsFolder).sort();
  for (const name of runs.slice(0, Math.max(0, runs.length - keptRuns)))
    rmSync(join(runsFolder, name), { recursive: true, force: true });
};

export const createRunFolder = (runsFolder: string): string => {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  const folder = join(runsFolder, `${time}-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    forgetOldRuns(runsFolder);
  } catch (error) {
    throw new Failure("configuration", `Cannot keep runs in ${runsFolder} (${messageOf(error)}).`);
  }
  return folder;
};
