/** What the main step leaves for its clean-up, should it be killed: processes and folders. */
import { readFileSync } from "node:fs";
import { isRecord } from "../settings/problems.ts";
import { stateName } from "../settings/action.ts";
import type { CommandFiles } from "./command-files.ts";

/** `since` tells a process from a later one that got the same number. */
export type StartedProcess = { pid: number; since: string };

export type SavedState = {
  processes: StartedProcess[];
  /** Everything that is only needed during the run. */
  temporary: string;
  /** Where the event log is. */
  record: string;
  /** The main step has told how it ended, and has cleaned up itself. */
  finished: boolean;
};

/** When a process was started, in the system's own count; empty where the system does not tell. */
export const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
};

export type StateKeeper = { add: (pid: number) => void; finish: () => void };

export const keepState = (
  files: CommandFiles,
  folders: Pick<SavedState, "temporary" | "record">,
): StateKeeper => {
  const state: SavedState = { processes: [], ...folders, finished: false };
  const save = (): void => files.saveState(stateName, JSON.stringify(state));
  save();
  return {
    add: (pid) => {
      state.processes.push({ pid, since: startOf(pid) });
      save();
    },
    finish: () => {
      state.finished = true;
      save();
    },
  };
};

const isProcess = (value: unknown): value is StartedProcess =>
  isRecord(value) && Number.isInteger(value["pid"]) && typeof value["since"] === "string";

/** An agent could have written the state: whatever does not look like ours is left alone. */
export const parseState = (text: string): SavedState | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { processes, temporary, record, finished } = value;
    if (typeof temporary !== "string" || typeof record !== "string" || !Array.isArray(processes))
      return undefined;
    return { processes: processes.filter(isProcess), temporary, record, finished: finished === true };
  } catch {
    return undefined;
  }
};
