/** What a run leaves in its folder besides the event log: the result, and the report. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessResult } from "../harness/settings.ts";
import type { Policy } from "../policy/rules.ts";
import { pageOf } from "../report/page.ts";
import { readRun } from "../report/read-run.ts";

export const keepResult = (result: HarnessResult, folder: string): void =>
  writeFileSync(join(folder, "result.json"), `${JSON.stringify(result)}\n`);

export const keepReport = async (
  result: HarnessResult,
  folder: string,
  options: { name: string; policy?: Policy },
): Promise<string> => {
  const file = join(folder, "report.html");
  writeFileSync(file, pageOf([await readRun(options.name, result.eventsFile, result, options.policy)]));
  return file;
};
