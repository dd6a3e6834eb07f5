/** What a run leaves in its folder besides the event log: the result, and the report. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import type { HarnessResult } from "../harness/settings.ts";
import type { Policy } from "../policy/rules.ts";
import { expectationsIn, type Expectation, type Verdict } from "../rehearsal/expectations.ts";
import { pageOf } from "../report/page.ts";
import { readRun } from "../report/read-run.ts";
import { writeResultFile } from "../session/result.ts";

const advice =
  "The run itself is over; its answer and the event log are not affected. Free space for the next one.";

const unkept = (file: string, error: unknown): Failure =>
  new Failure("record", `${file} could not be written (${messageOf(error)}).`, { advice });

/** The result, and what only the caller of the run knows of it. */
export type KeptResult = HarnessResult & {
  expectations?: Expectation[];
  /** The allow list that the run had. */
  allowedTools?: string[];
};

export const keptResultOf = (
  result: HarnessResult,
  { policy, verdicts = [] }: { policy: Policy; verdicts?: readonly Verdict[] },
): KeptResult => ({
  ...result,
  ...(verdicts.length > 0 && { expectations: expectationsIn(verdicts) }),
  ...(policy.mode === "scoped" && { allowedTools: policy.rules.map(({ text }) => text) }),
});

export const keepResult = (result: KeptResult, folder: string): void => {
  const file = join(folder, "result.json");
  try {
    writeResultFile(file, JSON.stringify(result));
  } catch (error) {
    throw unkept(file, error);
  }
};

export const keepReport = async (
  result: KeptResult,
  folder: string,
  options: { name: string; policy?: Policy },
): Promise<string> => {
  const file = join(folder, "report.html");
  const run = await readRun(options.name, result.eventsFile, result, options.policy);
  try {
    writeFileSync(file, pageOf([run]));
  } catch (error) {
    rmSync(file, { force: true });
    throw unkept(file, error);
  }
  return file;
};
