/** How the step ends: the run's own outcome, held against what the user asked for. */
import { Failure } from "../errors.ts";
import { failureOfRun } from "../harness/failure-of-run.ts";
import type { HarnessResult } from "../harness/settings.ts";
import { outcomeOf, resultWithoutSession, type Outcome, type SessionResult } from "../session/result.ts";
import { wishesOf, type RunSettings } from "../settings/run.ts";
import { structureFits } from "./outputs.ts";

export type Ending = {
  conclusion: Outcome | "skipped";
  failure?: Failure;
  result?: SessionResult;
  /** Why there was nothing to do. */
  skipped?: string;
};

const tooLong = ({ structuredOutput }: HarnessResult): Failure | undefined =>
  structureFits(structuredOutput)
    ? undefined
    : new Failure("invalid-output", "The structured answer is too long for an output of a step.", {
        advice: "Ask for less, or read the answer from `result-file`.",
      });

export const endingOfRun = (result: HarnessResult, settings: RunSettings): Ending => {
  const failure = failureOfRun(result, wishesOf(settings)) ?? tooLong(result);
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
