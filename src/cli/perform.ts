/** From what the caller said to a run that somebody watches: shared by `run` and `record`. */
import { Failure } from "../errors.ts";
import { failureOfRun } from "../harness/failure-of-run.ts";
import type { Verdict } from "../rehearsal/expectations.ts";
import { runWithModel } from "../rehearsal/run-with-model.ts";
import type { HarnessResult } from "../harness/settings.ts";
import type { Surroundings } from "../settings/command-line.ts";
import type { RawOptions } from "../settings/option-values.ts";
import type { Environment } from "../settings/problems.ts";
import { buildRunSettings, wishesOf, type RunSettings } from "../settings/run.ts";
import { findCredential } from "./find-credential.ts";
import type { Terminal } from "./terminal.ts";
import { visible } from "./visible.ts";
import { watchRun } from "./watch-run.ts";

const readStandardInput = async (): Promise<string | undefined> => {
  if (process.stdin.isTTY) return undefined;
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
};

/** What the caller said, completed by what can be found: the prompt and the credential. */
export const completeOptions = async (
  given: RawOptions,
  prompt: string | undefined,
  environment: Environment,
  say: (line: string) => void,
): Promise<RawOptions> => {
  const key = environment["COPILOT_DRIVER_PROVIDER_API_KEY"];
  const raw: RawOptions = {
    ...(key !== undefined && given["provider-base-url"] !== undefined && { "provider-api-key": key }),
    ...given,
    prompt: prompt ?? (given["prompt-file"] || given.rehearsal ? undefined : await readStandardInput()),
  };
  if (raw["github-token"] || raw["provider-base-url"] || raw.rehearsal) return raw;
  const found = await findCredential(environment);
  if (found === undefined)
    throw new Failure(
      "configuration",
      "There is no credential: set COPILOT_GITHUB_TOKEN, log in with `gh auth login`, give --provider-base-url, or try `copilot-driver rehearse`, which needs none.",
    );
  say(`Using the credential of ${found.from}`);
  return { ...raw, "github-token": found.token };
};

export const settingsFor = (
  raw: RawOptions,
  { environment, temporaryDirectory, toolCache }: Surroundings,
  folder: string,
): Promise<RunSettings> =>
  buildRunSettings(raw, {
    environment,
    workspace: process.cwd(),
    confined: false,
    folder,
    temporaryDirectory,
    toolCache,
    codeIsTrusted: true,
  });

export type Performed = { result: HarnessResult; verdicts: Verdict[]; failure: Failure | undefined };

export const perform = async (settings: RunSettings, terminal: Terminal): Promise<Performed> => {
  for (const { message } of settings.remarks)
    terminal.line(terminal.palette.yellow(visible(`Note: ${message}`)));
  const { observer, close } = watchRun(terminal, settings.harness.logLevel);
  try {
    const { result, verdicts } = await runWithModel(settings, observer);
    return { result, verdicts, failure: failureOfRun(result, wishesOf(settings)) };
  } finally {
    close();
  }
};
