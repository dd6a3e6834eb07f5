/** Clean-up after a main step that could not do it itself, because it was killed. */
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../errors.ts";
import { signalGroup } from "../harness/process-group.ts";
import { readRun } from "../report/read-run.ts";
import { resultWithoutSession } from "../session/result.ts";
import type { ActionWorld } from "../settings/action.ts";
import { optionFiles } from "../settings/run-files.ts";
import { openCommandFiles } from "./command-files.ts";
import { isRegularFile } from "./own-files.ts";
import { parseState, startOf, type StartedProcess } from "./saved-state.ts";
import { createWorkflowLog } from "./workflow-log.ts";

const graceMs = 1_500;

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const isStillOurs = ({ pid, since }: StartedProcess): boolean =>
  process.platform === "linux" ? since !== "" && startOf(pid) === since : exists(pid);

/** An agent could have written the state: only folders that we name like this, and where we put them, are touched. */
const isOurs = (folder: string, temporaryDirectory: string): boolean =>
  resolve(dirname(folder)) === resolve(temporaryDirectory) && basename(folder).startsWith("copilot-driver-");

const endProcesses = async (processes: readonly StartedProcess[]): Promise<number> => {
  const left = processes.filter(isStillOurs);
  for (const { pid } of left) signalGroup(pid, "SIGTERM");
  if (left.length > 0) await wait(graceMs);
  for (const { pid } of left.filter(isStillOurs)) signalGroup(pid, "SIGKILL");
  return left.length;
};

const findEventLog = (record: string): string | undefined => {
  try {
    const [session] = readdirSync(join(record, "events"));
    const file = join(record, "events", session ?? "", "events.jsonl");
    return isRegularFile(file) ? file : undefined;
  } catch {
    return undefined;
  }
};

export const runPostStep = async (world: ActionWorld, write: (text: string) => void): Promise<void> => {
  const log = createWorkflowLog(write);
  const state = world.savedState === undefined ? undefined : parseState(world.savedState);
  if (state === undefined) return log.say("The step has left nothing to clean up.");
  if (state.finished) return log.say("The step has cleaned up after itself.");

  const ended = await endProcesses(state.processes);
  log.say(`The step was killed; ${ended} of its processes still ran and were ended.`);
  const { temporaryDirectory } = world;
  if (isOurs(state.temporary, temporaryDirectory)) rmSync(state.temporary, { recursive: true, force: true });
  if (!isOurs(state.record, temporaryDirectory)) return;
  for (const file of Object.values(optionFiles)) rmSync(join(state.record, file), { force: true });

  const failure = new Failure("cancelled", "The step was killed before it could tell how it went.", {
    advice: "Give the job more time than `timeout-minutes`, or run it again.",
  });
  const { summaryOf } = await import("../report/summary.ts");
  // The record knows what was said and how long it took.
  const result = { ...resultWithoutSession(failure, 0), output: undefined, durationMs: undefined };
  const run = await readRun("run", findEventLog(state.record), result, undefined);
  openCommandFiles(world.commandFiles).summarize(summaryOf([run]));
};
