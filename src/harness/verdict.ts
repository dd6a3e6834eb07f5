/** What came of one driver process: its own result where it left one, corrected by what the harness saw. */
import { Failure, messageOf, type FailureKind } from "../errors.ts";
import { blankResult, failedResult, type SessionResult } from "../session/result.ts";
import { exitCodeOf } from "./cancellation.ts";
import type { DriverEnd } from "./driver-process.ts";
import { describeExit, type Exit } from "./process-group.ts";

/** What an exit code says where nothing else does. */
const kindOfCode = (code: number | null): FailureKind => {
  switch (code) {
    case 2:
      return "configuration";
    case 3:
      return "denied";
    case 124:
      return "timeout";
    default:
      return "unknown";
  }
};

const lastLine = (text: string): string | undefined => text.trimEnd().split("\n").at(-1) || undefined;

const failureOfExit = ({ exit, stderr }: DriverEnd): Failure | undefined =>
  exit.code === 0
    ? undefined
    : new Failure(kindOfCode(exit.code), lastLine(stderr) ?? `The driver ended with ${describeExit(exit)}.`);

/** Any one word of failure in a result makes it one. */
const toldFailure = (result: SessionResult): Failure | undefined => {
  const { exitCode, outcome, errorKind, message, advice, retryable } = result;
  if (exitCode === 0 && outcome === "completed" && errorKind === undefined) return undefined;
  const kind = errorKind ?? kindOfCode(exitCode);
  return new Failure(kind, message ?? `The driver's result tells of a failure (exit code ${exitCode}).`, {
    ...(exitCode !== 0 && { exitCode }),
    ...(advice !== undefined && { advice }),
    ...(retryable !== undefined && { retryable }),
  });
};

const ownResult = (end: DriverEnd, left: Partial<SessionResult>, durationMs: number): SessionResult => {
  const result = { ...blankResult(durationMs), hasOutput: Boolean(left.output), ...left };
  // A process of the agent could forge the file, but not the exit code; which failure it was, only the file can tell.
  const isExplained = result.exitCode !== 0 && result.errorKind !== undefined;
  const failure = (isExplained ? undefined : failureOfExit(end)) ?? toldFailure(result);
  return failure === undefined ? result : failedResult(result, failure);
};

const cancelledBy = (signal: NodeJS.Signals): Failure =>
  new Failure("cancelled", `Cancelled by ${signal}.`, { exitCode: exitCodeOf(signal) });

const crashed = (exit: Exit): Failure =>
  new Failure("runtime-crashed", `The Copilot runtime ended during the run (${describeExit(exit)}).`);

/** Whatever was thrown, seen by a person: after a signal it is the signal's doing. */
export const failureOf = (error: unknown, signal: AbortSignal): Failure => {
  if (signal.aborted) return cancelledBy(signal.reason as NodeJS.Signals);
  return error instanceof Failure ? error : new Failure("unknown", messageOf(error), { cause: error });
};

export const judgeDriverEnd = (
  end: DriverEnd,
  /** The result that the driver left, if it did. */
  left: Partial<SessionResult> | undefined,
  seen: { durationMs: number; deadlineMs: number; cancelledBy: NodeJS.Signals; sidecar: Exit | undefined },
): SessionResult => {
  const result = ownResult(end, left ?? { output: end.stdout.trimEnd() }, seen.durationMs);
  switch (end.interruption) {
    case "none":
      return result.errorKind === "runtime-crashed" && seen.sidecar
        ? failedResult(result, crashed(seen.sidecar))
        : result;
    case "cancelled":
      return failedResult(result, cancelledBy(seen.cancelledBy));
    case "deadline":
      return failedResult(
        result,
        new Failure("timeout", `The driver did not end within ${seen.deadlineMs} ms and was stopped.`),
      );
    case "sidecar-exited":
      return end.exit.code === 0 || seen.sidecar === undefined
        ? result
        : failedResult(result, crashed(seen.sidecar));
  }
};
