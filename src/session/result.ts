import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Failure, messageOf, type FailureKind } from "../errors.ts";
import type { Denial } from "./permissions.ts";
import type { ToolStatistics } from "./tool-calls.ts";
import type { Usage } from "./usage.ts";

export type Outcome = "completed" | "failed" | "timed-out" | "cancelled" | "denied";

export type CodeChanges = { filesModified: string[]; linesAdded: number; linesRemoved: number };

export type SessionResult = {
  exitCode: number;
  outcome: Outcome;
  errorKind?: FailureKind;
  message?: string;
  advice?: string;
  retryable?: boolean;
  output: string;
  hasOutput: boolean;
  /** The answer as data, where a schema was asked for and the answer fits it. */
  structuredOutput?: unknown;
  durationMs: number;
  sessionId?: string;
  model?: string;
  runtimeVersion?: string;
  usage?: Usage;
  tools: ToolStatistics[];
  denials: readonly Denial[];
  codeChanges?: CodeChanges;
  warnings: string[];
  eventsFile?: string;
};

export const outcomeOf = ({ kind }: Failure): Outcome => {
  switch (kind) {
    case "timeout":
    case "stalled":
      return "timed-out";
    case "cancelled":
      return "cancelled";
    case "denied":
      return "denied";
    default:
      return "failed";
  }
};

const failureFields = ({ kind, exitCode, message, advice, retryable }: Failure) => ({
  exitCode,
  errorKind: kind,
  message,
  advice,
  retryable,
});

/** What a run came to when something ended it, or spoilt its end. */
export const failedResult = (result: SessionResult, failure: Failure): SessionResult => ({
  ...result,
  outcome: outcomeOf(failure),
  ...failureFields(failure),
});

/** A run of which nothing is known but that it ended. */
export const blankResult = (durationMs: number): SessionResult => ({
  outcome: "completed",
  exitCode: 0,
  output: "",
  hasOutput: false,
  durationMs,
  tools: [],
  denials: [],
  warnings: [],
});

/** A run that ended before there was a session. */
export const resultWithoutSession = (failure: Failure, durationMs: number): SessionResult =>
  failedResult(blankResult(durationMs), failure);

/** Proves before the run that the result can be written after it. */
export const checkResultFile = (file: string | undefined): void => {
  if (file === undefined) return;
  try {
    refuseToReplace(file);
    writeFileSync(temporaryName(file), "");
    rmSync(temporaryName(file));
  } catch (error) {
    throw new Failure("configuration", `COPILOT_SDK_RESULT_FILE: cannot write ${file} (${messageOf(error)})`);
  }
};

/** Whole or absent: written beside the target, then renamed onto it. */
export const writeResultFile = (file: string, json: string): void => {
  refuseToReplace(file);
  const temporary = temporaryName(file);
  try {
    writeFileSync(temporary, `${json}\n`);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

/** A folder cannot be replaced, and a device or a pipe must not be. */
const refuseToReplace = (file: string): void => {
  const present = statSync(file, { throwIfNoEntry: false });
  if (present && !present.isFile()) throw new Error("it is not a regular file");
};

const temporaryName = (file: string): string => `${file}.${process.pid}.tmp`;
