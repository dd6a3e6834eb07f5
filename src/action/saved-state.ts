/** What the main step leaves for its clean-up, should it be killed: processes and a folder. */
import { readFileSync } from "node:fs";
import { isRecord } from "../settings/problems.ts";
import { stateName } from "../settings/action.ts";
import type { CommandFiles } from "./command-files.ts";

/** `since` tells a process from a later one that got the same number. */
export type StartedProcess = { pid: number; since: string };

export type SavedState = {
  processes: StartedProcess[];
  runFolder: string | undefined;
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

export type StateKeeper = {
  add: (what: { pid: number } | { folder: string }) => void;
  finish: () => void;
};

export const keepState = (files: CommandFiles, record: string): StateKeeper => {
  const state: SavedState = { processes: [], runFolder: undefined, record, finished: false };
  const save = (): void => files.saveState(stateName, JSON.stringify(state));
  save();
  return {
    add: (what) => {
      if ("pid" in what) state.processes.push({ pid: what.pid, since: startOf(what.pid) });
      else state.runFolder = what.folder;
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
    if (!isRecord(value) || typeof value["record"] !== "string" || !Array.isArray(value["processes"]))
      return undefined;
    return {
      processes: value["processes"].filter(isProcess),
      runFolder: typeof value["runFolder"] === "string" ? value["runFolder"] : undefined,
      record: value["record"],
      finished: value["finished"] === true,
    };
  } catch {
    return undefined;
  }
};
