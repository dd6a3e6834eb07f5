/** One attempt: a fresh sidecar, the driver, what came of it, and the sidecar stopped. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRedactor } from "../redact.ts";
import { resultWithoutSession, type SessionResult } from "../session/result.ts";
import type { Broker } from "./broker.ts";
import { contractOf } from "./driver-contract.ts";
import { runDriver } from "./driver-process.ts";
import { readDriverResult } from "./driver-result.ts";
import { driverEnvironment, sidecarEnvironment, type Environment } from "./environment.ts";
import { showsAction, watchEventLog } from "./event-log-watch.ts";
import { keepBackSecrets, type Told } from "./hand-over.ts";
import { withProviderAdvice } from "./provider-advice.ts";
import type { Exit } from "./process-group.ts";
import type { HarnessObserver, HarnessSettings } from "./settings.ts";
import { startSidecar, type Sidecar } from "./sidecar.ts";
import { deadlineOf, sendTimeoutOf } from "./time-limit.ts";
import { failureOf, judgeDriverEnd } from "./verdict.ts";

/** What all attempts of a run share. */
export type Run = {
  settings: HarnessSettings;
  observer: HarnessObserver;
  folder: string;
  promptFile: string;
  runtime: string;
  token: string;
  broker: Broker | undefined;
  /** Everything that must not get out. */
  secrets: readonly string[];
  /** Aborted with the name of the signal that cancels the run. */
  signal: AbortSignal;
};

export type Attempt = {
  result: SessionResult;
  /** A tool ran or an answer came: a second attempt could do it twice. */
  agentActed: boolean;
  sidecarSealed: boolean;
};

const exitNewsMs = 1_000;

const here = dirname(fileURLToPath(import.meta.url));

/** Beside the bundle, or where the build puts it when the sources run as they are. */
const ownDriver = (): readonly [string, ...string[]] => {
  const beside = join(here, "driver.js");
  return [process.execPath, existsSync(beside) ? beside : join(here, "../../dist/driver.js")];
};

const credentialVariables = ({ credential }: HarnessSettings): Readonly<Record<string, string>> => {
  switch (credential.kind) {
    case "copilot":
      return { COPILOT_GITHUB_TOKEN: credential.token };
    case "provider":
      return {};
    case "scripted":
      return credential.environment;
  }
};

/** Long outputs of tools are put into files, for everybody to read: those go with the run, unless the user names a place. */
const temporaryVariables = (path: string, agentNames: readonly string[]): Environment =>
  Object.fromEntries(
    (process.platform === "win32" ? ["TEMP", "TMP"] : ["TMPDIR"])
      .filter((name) => !agentNames.includes(name))
      .map((name) => [name, path]),
  );

const startFreshSidecar = (run: Run, folder: string): Promise<Sidecar> => {
  const { settings, runtime, token, secrets, signal } = run;
  const [home, temporary] = [join(folder, "copilot-home"), join(folder, "tmp")];
  for (const path of [home, temporary]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const agentNames = settings.agentEnvironment ?? [];
  const extras = { home, agentNames, credential: credentialVariables(settings) };
  return startSidecar({
    runtime,
    token,
    secrets,
    signal,
    environment: {
      ...sidecarEnvironment(settings.parentEnvironment, extras, secrets),
      ...temporaryVariables(temporary, agentNames),
    },
    workingDirectory: settings.workspace,
    port: settings.port,
    sealIn: join(folder, "runtime"),
    readyWithinMs: settings.sidecarReadyWithinMs,
  });
};

const isBelow = (folder: string, path: string): boolean => resolve(path).startsWith(resolve(folder) + sep);

/** Drivers that are not ours may write down what they please. */
const redacted = (run: Run, result: SessionResult): SessionResult =>
  JSON.parse(createRedactor(run.secrets).json(result)) as SessionResult;

/** Shown only on failure: most of what a runtime says on stderr is of no interest. */
const showStderr = (run: Run, text: string): void => {
  for (const line of text.split("\n").filter((line) => line.trim() !== ""))
    run.observer.log.error("the Copilot runtime said", { line });
};

const driveWith = async (run: Run, sidecar: Sidecar, folder: string, spentMs: number): Promise<Attempt> => {
  const { settings, observer, secrets, signal } = run;
  const resultFile = join(folder, "result.json");
  const sendTimeout = sendTimeoutOf(settings.timeLimit, spentMs);
  const deadlineMs = deadlineOf(sendTimeout);
  const events = watchEventLog(settings.eventLogBase, observer.onEvent);
  let sidecarExit: Exit | undefined;
  const sidecarExited = sidecar.exited.then((exit) => (sidecarExit = exit));
  const startedAt = performance.now();
  try {
    const whole = contractOf(run, sidecar.uri, sendTimeout, resultFile);
    const { contract, handedOver }: Told = settings.driver ? { contract: whole } : keepBackSecrets(whole);
    const end = await runDriver({
      command: settings.driver ?? ownDriver(),
      handedOver,
      environment: driverEnvironment(
        settings.parentEnvironment,
        contract,
        secrets.filter((secret) => secret !== run.token),
      ),
      workingDirectory: settings.workspace,
      deadlineMs,
      secrets,
      signal,
      sidecarExited,
      onStart: (pid) => observer.onStart?.({ pid }),
      onLine: (line) => {
        events.readDriverLine(line);
        observer.onDriverLine?.(line);
      },
    });
    const left = readDriverResult(resultFile);
    // The driver may notice that the connection ended before we hear how the process did.
    if (left?.errorKind === "runtime-crashed") await Promise.race([sidecarExited, wait(exitNewsMs)]);
    const judged = judgeDriverEnd(end, left, {
      durationMs: Math.round(performance.now() - startedAt),
      deadlineMs,
      cancelledBy: signal.reason as NodeJS.Signals,
      sidecar: sidecarExit,
    });
    if (judged.errorKind === "runtime-crashed") showStderr(run, sidecar.stderr());
    // The path in a result is believed only where event logs belong: whoever reads it would be led away.
    const { eventsFile: claimed, ...rest } = withProviderAdvice(judged, settings);
    const isThere = claimed && isBelow(settings.eventLogBase, claimed) && existsSync(claimed);
    const eventsFile = isThere ? claimed : events.path();
    const result = redacted(run, { ...rest, ...(eventsFile && { eventsFile }) });
    // What did not say which tools ran, neither in a result nor in a log, may have run any.
    const mayHaveActed = eventsFile === undefined ? left?.tools === undefined : showsAction(eventsFile);
    return {
      result: { ...result, ...(sidecar.runtimeVersion && { runtimeVersion: sidecar.runtimeVersion }) },
      agentActed: result.hasOutput || result.tools.length > 0 || mayHaveActed,
      sidecarSealed: sidecar.seal.sealed,
    };
  } finally {
    events.close();
  }
};

export const attempt = async (run: Run, number: number, spentMs: number): Promise<Attempt> => {
  const { log, onStart } = run.observer;
  const startedAt = performance.now();
  const folder = join(run.folder, `attempt-${number}`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    const sidecar = await startFreshSidecar(run, folder);
    onStart?.({ pid: sidecar.pid });
    log.info("the Copilot runtime is ready", { version: sidecar.runtimeVersion, pid: sidecar.pid });
    if (!sidecar.seal.sealed && number === 1)
      log.warning("the Copilot runtime is not sealed", { why: sidecar.seal.why });
    try {
      return await driveWith(run, sidecar, folder, spentMs);
    } finally {
      await sidecar.stop();
    }
  } catch (error) {
    const failure = failureOf(error, run.signal);
    if (typeof failure.cause === "string") showStderr(run, failure.cause);
    const result = resultWithoutSession(failure, Math.round(performance.now() - startedAt));
    return { result: redacted(run, result), agentActed: false, sidecarSealed: false };
  }
};
