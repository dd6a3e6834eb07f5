/** How the step ends: the run's own outcome, held against what the user asked for. */
import { Failure } from "../errors.ts";
import type { HarnessResult } from "../harness/settings.ts";
import { outcomeOf, resultWithoutSession, type Outcome, type SessionResult } from "../session/result.ts";
import type { RunSettings } from "../settings/run.ts";
import { structureFits } from "./outputs.ts";

export type Ending = {
  conclusion: Outcome | "skipped";
  failure?: Failure;
  result?: SessionResult;
  /** Why there was nothing to do. */
  skipped?: string;
};

const ownFailure = ({ errorKind, message, advice, exitCode, retryable }: SessionResult): Failure =>
  new Failure(errorKind ?? "unknown", message ?? "The run failed.", {
    exitCode,
    ...(advice !== undefined && { advice }),
    ...(retryable !== undefined && { retryable }),
  });

const unmetWish = (result: HarnessResult, settings: RunSettings): Failure | undefined => {
  if (settings.harness.outputSchemaFile !== undefined && result.structuredOutput === undefined)
    return new Failure("invalid-output", "The driver gave no answer that was checked against the schema.");
  if (!structureFits(result.structuredOutput))
    return new Failure("invalid-output", "The structured answer is too long for an output of a step.", {
      advice: "Ask for less, or read the answer from `result-file`.",
    });
  if (settings.failOnEmpty && !result.hasOutput)
    return new Failure("empty-answer", "The agent ended without an answer.");
  const { length } = result.denials;
  if (settings.failOnDenied && length > 0)
    return new Failure("denied", `${length} ${length === 1 ? "request was" : "requests were"} denied.`, {
      advice: "Widen `allowed-tools` by what the summary suggests, or reword the prompt.",
    });
  return undefined;
};

export const endingOfRun = (result: HarnessResult, settings: RunSettings): Ending => {
  const ended =
    result.outcome === "completed" || (result.errorKind === "empty-answer" && !settings.failOnEmpty);
  const failure = ended ? unmetWish(result, settings) : ownFailure(result);
  return failure === undefined
    ? { conclusion: "completed", result }
    : { conclusion: outcomeOf(failure), failure, result };
};

/** A run that never came to a session. */
export const endingOfFailure = (failure: Failure): Ending => ({
  conclusion: outcomeOf(failure),
  failure,
  result: resultWithoutSession(failure, 0),
});
