import { Failure, messageOf } from "../errors.ts";
import { createLog, type Log } from "../log.ts";
import { createRedactor, type Redactor } from "../redact.ts";
import { readDriverEssentials, readDriverSettings, secretsDescriptorOf } from "../settings/driver.ts";
import { secretsOf } from "../settings/mcp-servers.ts";
import type { Environment } from "../settings/problems.ts";
import { secretsOfProvider } from "../settings/provider.ts";
import { failureFrom } from "./classify.ts";
import { listenForSignals } from "./interruption.ts";
import {
  checkResultFile,
  failedResult,
  resultWithoutSession,
  writeResultFile,
  type SessionResult,
} from "./result.ts";

const prefix = "copilot-sdk-driver";

/** Standalone mode: the environment in, the answer on stdout, the log on stderr, the exit code out. */
export const drive = async (environment: Environment): Promise<number> => {
  const essentials = readDriverEssentials(environment);
  let redactor = createRedactor([essentials.connectionToken]);
  const log = createLog({
    prefix,
    level: essentials.logLevel,
    write: (line) => void process.stderr.write(line),
    redact: (text) => redactor.text(text),
  });
  const interrupted = listenForSignals();
  interrupted.catch(() => {});
  const withoutSession = (error: unknown) =>
    resultWithoutSession(failureFrom(error), Math.round(process.uptime() * 1000));
  const finish = (result: SessionResult) =>
    conclude(result, { log, redactor, resultFile: essentials.resultFile });
  process.stderr.on("error", () => {});
  process.on(
    "uncaughtException",
    (error) => void finish(withoutSession(error)).then((code) => process.exit(code)),
  );

  try {
    const complete = await withSecrets(environment, interrupted);
    redactor = createRedactor([readDriverEssentials(complete).connectionToken]);
    const settings = readDriverSettings(complete);
    redactor = createRedactor([
      settings.connectionToken,
      ...secretsOf(settings.mcpServers),
      ...secretsOfProvider(settings.provider),
    ]);
    checkResultFile(settings.resultFile);
    // Loaded late: a wrong configuration is told without waiting for the SDK.
    const { startSession } = await import("./start-session.ts");
    return await finish(await startSession(settings, { log, redactor, interrupted }));
  } catch (error) {
    return finish(withoutSession(error));
  }
};

/** Our own harness hands the secrets over later than the rest; everybody else sets all variables. */
const withSecrets = async (environment: Environment, interrupted: Promise<never>): Promise<Environment> => {
  const descriptor = secretsDescriptorOf(environment);
  if (descriptor === undefined) return environment;
  const { receiveSecrets } = await import("./receive-secrets.ts");
  return { ...environment, ...(await Promise.race([receiveSecrets(descriptor), interrupted])) };
};

const conclude = async (
  result: SessionResult,
  { log, redactor, resultFile }: { log: Log; redactor: Redactor; resultFile: string | undefined },
): Promise<number> => {
  const {
    outcome,
    exitCode,
    errorKind,
    message,
    advice,
    retryable,
    hasOutput,
    durationMs,
    denials,
    warnings,
  } = result;
  for (const warning of warnings) log.always("warning", { about: warning });
  if (errorKind === undefined) log.always("completed", { hasOutput, durationMs, denials: denials.length });
  else
    log.always("failed", {
      outcome,
      kind: errorKind,
      message,
      advice,
      retryable,
      exitCode,
      hasOutput,
      durationMs,
    });
  const unprinted = await printAnswer(redactor.text(result.output));
  const final = unprinted && errorKind === undefined ? failedResult(result, unprinted) : result;
  const unsaved = saveResult(final, redactor, resultFile);
  // A configuration that forbids writing the result was told above.
  for (const problem of errorKind === "configuration" ? [] : [unprinted, unsaved])
    if (problem) log.always("failed", { kind: problem.kind, message: problem.message });
  return unsaved && final.exitCode === 0 ? unsaved.exitCode : final.exitCode;
};

/** Pipes may be asynchronous: the process must not end before the reader has everything. */
const printAnswer = (answer: string): Promise<Failure | undefined> =>
  new Promise((resolve) => {
    if (answer === "") return resolve(undefined);
    const failed = (error: Error) =>
      resolve(new Failure("record", `The answer could not be written to stdout: ${error.message}`));
    process.stdout.on("error", failed);
    process.stdout.write(answer.endsWith("\n") ? answer : `${answer}\n`, (error) =>
      error ? failed(error) : resolve(undefined),
    );
  });

const saveResult = (
  result: SessionResult,
  redactor: Redactor,
  file: string | undefined,
): Failure | undefined => {
  if (file === undefined) return undefined;
  try {
    writeResultFile(file, redactor.json(result));
    return undefined;
  } catch (error) {
    return new Failure("record", `The result file ${file} could not be written: ${messageOf(error)}`);
  }
};
