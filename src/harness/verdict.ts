/** What came of one driver process: its own result where it left one, corrected by what the harness saw. */
import { Failure, messageOf, type FailureKind } from "../errors.ts";
import { failureFields, outcomeOf, type SessionResult } from "../session/result.ts";
import { exitCodeOf } from "./cancellation.ts";
import type { DriverEnd } from "./driver-process.ts";
import { describeExit, type Exit } from "./process-group.ts";
import { readRegularFile } from "./untrusted-file.ts";

const isResult = (value: unknown): value is Partial<SessionResult> =>
  typeof value === "object" && value !== null && "exitCode" in value && Number.isInteger(value.exitCode);

const longestResult = 64 * 1024 * 1024;

const readResult = (file: string): Partial<SessionResult> | undefined => {
  try {
    const parsed: unknown = JSON.parse(readRegularFile(file, longestResult) ?? "");
    return isResult(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** The exit codes of drivers that leave no result. */
const kindOfExit: Partial<Record<number, FailureKind>> = { 2: "configuration", 3: "denied", 124: "timeout" };

const lastLine = (text: string): string | undefined => text.trimEnd().split("\n").at(-1) || undefined;

const failureOfExit = ({ exit, stderr }: DriverEnd): Failure | undefined => {
  if (exit.code === 0) return undefined;
  const kind = (exit.code !== null && kindOfExit[exit.code]) || "unknown";
  return new Failure(kind, lastLine(stderr) ?? `The driver ended with ${describeExit(exit)}.`);
};

const withFailure = (result: SessionResult, failure: Failure): SessionResult => ({
  ...result,
  outcome: outcomeOf(failure),
  ...failureFields(failure),
});

const blank = (durationMs: number): SessionResult => ({
  exitCode: 0,
  outcome: "completed",
  output: "",
  hasOutput: false,
  durationMs,
  tools: [],
  denials: [],
  warnings: [],
});

const ownResult = (end: DriverEnd, file: string, durationMs: number): SessionResult => {
  const output = end.stdout.trimEnd();
  const left = readResult(file) ?? { output, hasOutput: output !== "" };
  const result = { ...blank(durationMs), ...left };
  const failure = failureOfExit(end);
  // A process of the agent could forge the file, but not the exit code.
  return failure !== undefined && result.exitCode === 0 ? withFailure(result, failure) : result;
};

const cancelledBy = (signal: NodeJS.Signals): Failure =>
  new Failure("cancelled", `Cancelled by ${signal}.`, { exitCode: exitCodeOf(signal) });

/** Whatever was thrown, seen by a person: after a signal it is the signal's doing. */
export const failureOf = (error: unknown, signal: AbortSignal): Failure => {
  if (signal.aborted) return cancelledBy(signal.reason as NodeJS.Signals);
  return error instanceof Failure ? error : new Failure("unknown", messageOf(error), { cause: error });
};

export const judgeDriverEnd = (
  end: DriverEnd,
  resultFile: string,
  seen: { durationMs: number; deadlineMs: number; cancelledBy: NodeJS.Signals; sidecar: Exit | undefined },
): SessionResult => {
  const result = ownResult(end, resultFile, seen.durationMs);
  switch (end.interruption) {
    case "none":
      return result;
    case "cancelled":
      return withFailure(result, cancelledBy(seen.cancelledBy));
    case "deadline":
      return withFailure(
        result,
        new Failure("timeout", `The driver did not end within ${seen.deadlineMs} ms and was stopped.`),
      );
    case "sidecar-exited": {
      if (end.exit.code === 0 || seen.sidecar === undefined) return result;
      const how = describeExit(seen.sidecar);
      return withFailure(
        result,
        new Failure("runtime-crashed", `The Copilot runtime ended during the run (${how}).`),
      );
    }
  }
};
