/** Why a run did not do what it was asked for: its own failure, or a wish of the caller that it did not meet. */
import { Failure } from "../errors.ts";
import type { SessionResult } from "../session/result.ts";

export type Wishes = { failOnEmpty: boolean; failOnDenied: boolean; structured: boolean };

const ownFailure = ({ errorKind, message, advice, exitCode, retryable }: SessionResult): Failure =>
  new Failure(errorKind ?? "unknown", message ?? "The run failed.", {
    exitCode,
    ...(advice !== undefined && { advice }),
    ...(retryable !== undefined && { retryable }),
  });

const unmetWish = (
  { structuredOutput, hasOutput, denials }: SessionResult,
  wishes: Wishes,
): Failure | undefined => {
  if (wishes.structured && structuredOutput === undefined)
    return new Failure("invalid-output", "The driver gave no answer that was checked against the schema.");
  if (wishes.failOnEmpty && !hasOutput)
    return new Failure("empty-answer", "The agent ended without an answer.");
  const { length } = denials;
  if (wishes.failOnDenied && length > 0)
    return new Failure("denied", `${length} ${length === 1 ? "request was" : "requests were"} denied.`, {
      advice: "Widen `allowed-tools` by what the summary suggests, or reword the prompt.",
    });
  return undefined;
};

export const failureOfRun = (result: SessionResult, wishes: Wishes): Failure | undefined => {
  const ended =
    result.outcome === "completed" || (result.errorKind === "empty-answer" && !wishes.failOnEmpty);
  return ended ? unmetWish(result, wishes) : ownFailure(result);
};
