/** How the run ended and what it used: the driver's result where there is one, else what the log tells. */
import { Failure, failureKinds, type FailureKind } from "../errors.ts";
import { cutMiddle } from "./cut.ts";
import type { Conclusion, Expectation, ModelCall, RunOutcome, Tokens, Usage } from "./model.ts";
import { tokensOfResult } from "./model-calls.ts";
import { fieldsOf, listOf, numberOf, textOf, type Fields } from "./reading.ts";
import type { LogFacts } from "./story.ts";

const outcomes: readonly RunOutcome[] = ["completed", "failed", "timed-out", "cancelled", "denied"];
const nanoUnits = 1e9;

const outcomeOf = (facts: LogFacts, result: Fields): RunOutcome => {
  const stated = outcomes.find((outcome) => outcome === result.outcome);
  if (stated !== undefined) return stated;
  const exitCode = numberOf(result.exitCode);
  if (exitCode !== undefined) return exitCode === 0 ? "completed" : "failed";
  if (facts.aborted) return "cancelled";
  if (facts.answered) return "completed";
  return facts.error ? "failed" : "unknown";
};

const isFailureKind = (kind: string | undefined): kind is FailureKind =>
  (failureKinds as readonly (string | undefined)[]).includes(kind);

const adviceFor = (kind: string | undefined): string | undefined =>
  isFailureKind(kind) ? new Failure(kind, "").advice : undefined;

const sum = (parts: readonly Tokens[]): Tokens =>
  parts.reduce<Tokens>(
    (total, part) => ({
      input: total.input + part.input,
      output: total.output + part.output,
      cached: total.cached + part.cached,
      premium: total.premium + part.premium,
      cost: total.cost + part.cost,
    }),
    { input: 0, output: 0, cached: 0, premium: 0, cost: 0 },
  );

const usageOf = (models: Usage["models"]): Usage | undefined =>
  models.length === 0
    ? undefined
    : { ...sum(models), requests: models.reduce((total, { requests }) => total + requests, 0), models };

const fromResult = (usage: Fields): Usage | undefined => {
  const models = Object.entries(fieldsOf(usage.models)).map(([model, value]) => {
    const fields = fieldsOf(value);
    return { model, requests: numberOf(fields.requests) ?? 0, ...tokensOfResult(fields) };
  });
  if (models.length > 0 || numberOf(usage.inputTokens) === undefined) return usageOf(models);
  return { ...tokensOfResult(usage), requests: numberOf(usage.requests) ?? 0, models };
};

const fromShutdown = (shutdown: Fields): Usage | undefined =>
  usageOf(
    Object.entries(fieldsOf(shutdown.modelMetrics)).map(([model, value]) => {
      const metric = fieldsOf(value);
      const requests = fieldsOf(metric.requests);
      const tokens = tokensOfResult(fieldsOf(metric.usage));
      const cost = (numberOf(metric.totalNanoAiu) ?? 0) / nanoUnits;
      return {
        model,
        requests: numberOf(requests.count) ?? 0,
        ...tokens,
        premium: numberOf(requests.cost) ?? 0,
        cost,
      };
    }),
  );

const fromCalls = (calls: readonly ModelCall[]): Usage | undefined => {
  const names = [...new Set(calls.map(({ model }) => model))];
  return usageOf(
    names.map((model) => {
      const own = calls.filter((call) => call.model === model);
      return { model, requests: own.length, ...sum(own) };
    }),
  );
};

const changesOf = (changes: Fields): Conclusion["changes"] => {
  const added = numberOf(changes.linesAdded);
  const files = listOf(changes.filesModified).filter((file) => typeof file === "string");
  return added === undefined && files.length === 0
    ? undefined
    : { added: added ?? 0, removed: numberOf(changes.linesRemoved) ?? 0, files };
};

/** Whatever is not clearly met is not met. */
const expectationsOf = (value: unknown): Expectation[] | undefined => {
  const expectations = listOf(value).map(fieldsOf);
  return expectations.length === 0
    ? undefined
    : expectations.map(({ text, ok }) => ({ text: cutMiddle(textOf(text) ?? "", 1000), ok: ok === true }));
};

/** Builds of the runtime that do not know their version say this. */
const knownVersion = (value: unknown): string | undefined => (value === "0.0.0" ? undefined : textOf(value));

const dropMissing = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

export const concludeRun = (
  facts: LogFacts,
  resultValue: unknown,
  log: { calls: readonly ModelCall[]; latest: number },
): Conclusion => {
  const result = fieldsOf(resultValue);
  const shutdown = facts.shutdown ?? {};
  const errorKind = textOf(result.errorKind);
  const outcome = outcomeOf(facts, result);
  return {
    outcome,
    prompt: facts.prompt,
    answer: textOf(result.output) || facts.answer,
    durationMs: numberOf(result.durationMs) ?? log.latest,
    warnings: listOf(result.warnings).filter((warning) => typeof warning === "string"),
    ...dropMissing({
      message: textOf(result.message) ?? (outcome === "completed" ? undefined : facts.error?.message),
      errorKind: errorKind ?? (outcome === "failed" ? facts.error?.kind : undefined),
      advice: textOf(result.advice) ?? adviceFor(errorKind),
      exitCode: numberOf(result.exitCode),
      sessionId: textOf(result.sessionId) ?? facts.sessionId,
      model: textOf(result.model) ?? facts.model,
      runtimeVersion: knownVersion(result.runtimeVersion) ?? knownVersion(facts.runtimeVersion),
      workspace: facts.workspace,
      usage: fromResult(fieldsOf(result.usage)) ?? fromShutdown(shutdown) ?? fromCalls(log.calls),
      expectations: expectationsOf(result.expectations),
      changes: changesOf(fieldsOf(result.codeChanges)) ?? changesOf(fieldsOf(shutdown.codeChanges)),
    }),
  };
};
