/** How the step ends: the run's own outcome, held against what the user asked for. */
import { Failure } from "../errors.ts";
import { failureOfRun } from "../harness/failure-of-run.ts";
import type { HarnessResult } from "../harness/settings.ts";
import type { Expectation } from "../rehearsal/expectations.ts";
import type { Played } from "../rehearsal/play.ts";
import {
  failedResult,
  outcomeOf,
  resultWithoutSession,
  type Outcome,
  type SessionResult,
} from "../session/result.ts";
import { wishesOf, type RunSettings } from "../settings/run.ts";
import type { RecordWatch } from "./record.ts";
import { structureFits } from "./outputs.ts";

export type StepResult = SessionResult & { expectations?: Expectation[] };

export type Ending = {
  conclusion: Outcome | "skipped";
  failure?: Failure;
  result?: StepResult;
  /** Another driver did not tell what was denied. */
  denialsUnknown?: boolean;
  /** Why there was nothing to do. */
  skipped?: string;
};

const tooLong = ({ structuredOutput }: HarnessResult): Failure | undefined =>
  structureFits(structuredOutput)
    ? undefined
    : new Failure("invalid-output", "The structured answer is too long for an output of a step.", {
        advice: "Ask for less, or read the answer from `result-file`.",
      });

/** The built-in script only shows how a run looks; the expectations of any other are a test. */
const testOf = ({ source }: RunSettings, { verdicts }: Played): Played["verdicts"] =>
  source.kind === "rehearsal" && source.own ? verdicts : [];

type Tested = { unmet?: Failure; expectations?: Expectation[] };

const tested = async (verdicts: Played["verdicts"]): Promise<Tested> => {
  if (verdicts.length === 0) return {};
  const { diffOf, expectationsIn } = await import("../rehearsal/expectations.ts");
  const expectations = expectationsIn(verdicts);
  if (verdicts.every(({ ok }) => ok)) return { expectations };
  const difference = `The rehearsal went otherwise than its script expects:\n${diffOf(verdicts)}`;
  return { expectations, unmet: new Failure("unmet-expectation", difference) };
};

/** The run held against what was asked for is what everybody is told, not the run's own view of it. */
const judgedBy = (failure: Failure | undefined, result: SessionResult): SessionResult => {
  if (failure !== undefined) return failedResult(result, failure);
  const { errorKind: _kind, message: _message, advice: _advice, retryable: _retryable, ...rest } = result;
  return { ...rest, outcome: "completed", exitCode: 0 };
};

export const endingOfRun = async (
  played: Played,
  settings: RunSettings,
  record: RecordWatch,
): Promise<Ending> => {
  const { result } = played;
  const { unmet, ...test } = await tested(testOf(settings, played));
  const failure =
    failureOfRun(result, wishesOf(settings)) ??
    (await record.check(result.eventsFile, settings.harness.driver === undefined)) ??
    tooLong(result) ??
    unmet;
  const foreign = settings.harness.driver !== undefined;
  const unrecorded = foreign && result.eventsFile === undefined;
  const warnings = [
    ...result.warnings,
    ...(unrecorded
      ? ["this driver left no record: what the agent did, and what was denied, is not known"]
      : []),
  ];
  const judged = judgedBy(failure, result);
  return {
    conclusion: judged.outcome,
    ...(failure && { failure }),
    denialsUnknown: foreign && result.sessionId === undefined && result.denials.length === 0,
    result: { ...judged, warnings, ...test },
  };
};

/** A run that never came to a session. */
export const endingOfFailure = (failure: Failure): Ending => ({
  conclusion: outcomeOf(failure),
  failure,
  result: resultWithoutSession(failure, 0),
});

/** A failure that showed only after the run; what failed before stays the reason. */
export const endingWith = (failure: Failure, ending: Ending): Ending =>
  ending.failure !== undefined
    ? ending
    : {
        ...ending,
        conclusion: outcomeOf(failure),
        failure,
        ...(ending.result && { result: failedResult(ending.result, failure) }),
      };
