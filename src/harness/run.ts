/** One call from prompt to result: secrets made, processes started, watched and ended, whatever happens. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../errors.ts";
import { resultWithoutSession } from "../session/result.ts";
import { attempt, type Attempt, type Run } from "./attempt.ts";
import type { Broker } from "./broker.ts";
import { watchSignals, type Cancellation } from "./cancellation.ts";
import { checkCredential, secretsOf, type Provider } from "./credentials.ts";
import { checkAgentNames } from "./environment.ts";
import { findExposures } from "./exposure.ts";
import { adoptOrphans, endLeftovers } from "./leftovers.ts";
import { killLiveGroups } from "./process-group.ts";
import { decideRetry } from "./retry.ts";
import { createRunFolder } from "./run-folder.ts";
import { findRuntime } from "./runtime.ts";
import { sealThisProcess } from "./seal.ts";
import type { HarnessObserver, HarnessResult, HarnessSettings } from "./settings.ts";
import { longestWaitMs, remainingMs } from "./time-limit.ts";
import { createConnectionToken } from "./token.ts";
import { failureOf } from "./verdict.ts";

const defaultRetries = 2;

const checkWorkspace = (path: string): void => {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure("configuration", `The workspace ${path} is not a folder.`);
};

export const runHarness = async (
  settings: HarnessSettings,
  observer: HarnessObserver,
  /** Given by whoever has watched the signals since before this run. */
  givenCancellation?: Cancellation,
): Promise<HarnessResult> => {
  const { log, mask, onStart } = observer;
  const { credential, timeLimit, retries = defaultRetries } = settings;
  const startedAt = performance.now();
  const spentMs = (): number => Math.round(performance.now() - startedAt);
  const cancellation = givenCancellation ?? watchSignals();
  const { signal, hurry, overdue } = cancellation;
  const cleanUp: (() => unknown)[] = [];
  let attempts = 0;
  let outcome: HarnessResult | undefined;

  const failed = (error: unknown): HarnessResult => ({
    ...resultWithoutSession(failureOf(error, signal), spentMs()),
    attempts,
    sealed: false,
  });

  const seal = sealThisProcess();
  if (!seal.sealed) log.warning("this process is not sealed", { why: seal.why });

  const openBroker = async (provider: Provider): Promise<Broker> => {
    // Most runs have none, and need not load an HTTP server.
    const { startBroker } = await import("./broker.ts");
    const broker = await startBroker(provider, settings.parentEnvironment);
    broker.secrets.forEach(mask);
    cleanUp.push(broker.close);
    return broker;
  };

  const prepare = async (): Promise<Run> => {
    const credentials = secretsOf(credential);
    credentials.forEach(mask);
    checkCredential(credential);
    checkAgentNames(settings.agentEnvironment ?? []);
    checkWorkspace(settings.workspace);
    const token = createConnectionToken(mask);

    const { path: folder, remove } = createRunFolder(settings.temporaryDirectory);
    cleanUp.push(remove);
    onStart?.({ folder });
    const promptFile = join(folder, "prompt.txt");
    writeFileSync(promptFile, settings.prompt, { mode: 0o600 });

    const broker = credential.kind === "provider" ? await openBroker(credential.provider) : undefined;
    const secrets = [...credentials, token, ...(broker?.secrets ?? [])];
    signal.throwIfAborted();
    const runtime = await findRuntime({ ...settings, log, secrets, signal });
    return { settings, observer, folder, promptFile, runtime, token, broker, secrets, signal };
  };

  const warnOfExposures = async (): Promise<void> => {
    for (const { where, advice } of await findExposures(secretsOf(credential), settings.workspace))
      log.warning("the agent can read the credential elsewhere", { where, advice });
  };

  const endWhatTheAgentLeft = (): void => {
    const ended = endLeftovers();
    if (ended > 0) log.warning("ended processes that the agent left running", { ended });
  };

  const tryUntilDone = async (run: Run): Promise<Attempt> => {
    for (;;) {
      attempts += 1;
      const attempted = await attempt(run, attempts, attempts === 1 ? 0 : spentMs());
      const { errorKind, retryable = false } = attempted.result;
      const decision = decideRetry({
        attempt: attempts,
        retries,
        errorKind,
        retryable,
        agentActed: attempted.agentActed,
        remainingMs: remainingMs(timeLimit, spentMs()),
        longestWaitMs: longestWaitMs(timeLimit),
        retryAfterMs: run.broker?.retryAfterMs(),
      });
      if (!decision.retry) {
        if (errorKind !== undefined) log.info("not trying again", { kind: errorKind, why: decision.reason });
        return attempted;
      }
      log.warning("trying again", { kind: errorKind, attempt: attempts + 1, delayMs: decision.delayMs });
      await wait(decision.delayMs, undefined, { signal });
    }
  };

  const runAndCleanUp = async (): Promise<HarnessResult> => {
    try {
      const run = await prepare();
      if (adoptOrphans()) cleanUp.push(endWhatTheAgentLeft);
      if (seal.sealed) {
        const warned = warnOfExposures();
        cleanUp.push(() => warned);
      }
      const { result, sidecarSealed } = await tryUntilDone(run);
      outcome = {
        ...result,
        attempts,
        sealed: seal.sealed && sidecarSealed,
        ...(run.broker && { providerRequests: run.broker.requests() }),
      };
    } catch (error) {
      outcome = failed(error);
    } finally {
      for (const undo of cleanUp.reverse()) await undo();
    }
    return outcome;
  };

  const over = new AbortController();
  hurry.addEventListener("abort", killLiveGroups, over);
  /** After a signal, what hangs is left as it is; what there is, is told. */
  const giveUp = new Promise<HarnessResult>((resolve) => {
    const tell = (): void => {
      log.warning("ended without waiting for what hangs");
      resolve(outcome ?? failed(undefined));
    };
    overdue.addEventListener("abort", tell, over);
  });
  try {
    return await Promise.race([runAndCleanUp(), giveUp]);
  } finally {
    over.abort();
    if (givenCancellation === undefined) cancellation.dispose();
  }
};
