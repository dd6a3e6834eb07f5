/** A real run with the caller's own credential. */
import { pathToFileURL } from "node:url";
import { endingOfRun } from "../action/ending.ts";
import { Failure } from "../errors.ts";
import { diffOf } from "../rehearsal/expectations.ts";
import { runWithModel } from "../rehearsal/run-with-model.ts";
import { readSurroundings, type Surroundings } from "../settings/command-line.ts";
import type { RawOptions } from "../settings/option-values.ts";
import type { Environment } from "../settings/problems.ts";
import { buildRunSettings } from "../settings/run.ts";
import { parseArguments } from "./arguments.ts";
import { findCredential } from "./find-credential.ts";
import { keepReport, keepResult } from "./keep-run.ts";
import { createRunFolder } from "./run-folder.ts";
import { rawOptionsOf, runArguments, runOptionsHelp } from "./run-options.ts";
import { answerText, openTerminal, type Terminal } from "./terminal.ts";
import { visible } from "./visible.ts";
import { seconds, watchRun } from "./watch-run.ts";

const help = `Usage: copilot-driver run [prompt] [options]

Runs one agent session in the current directory under an allow list, and leaves an event log, a result and a report.
The prompt is the argument, a file (-f), or standard input. The answer goes to standard output, everything else to
standard error.

The credential is the first of COPILOT_GITHUB_TOKEN, GH_TOKEN, GITHUB_TOKEN and \`gh auth token\`; or a provider of your
own (--provider-base-url), whose key is best given as COPILOT_DRIVER_PROVIDER_API_KEY: arguments are visible to others.

Options:
${runOptionsHelp}
  --json
      Print the result object instead of the answer.
  --help
      Show this.

Exit codes: 0 completed, 1 failed, 2 wrong options, 3 too much was denied, 124 timed out, 128+n ended by signal n.

Examples:
  copilot-driver run "Summarize the open TODOs" > todos.md
  copilot-driver run -f prompt.md -a read -a 'shell(npm test)' -a write
  git diff | copilot-driver run --json | jq .usage
  copilot-driver run "Say hello" --rehearsal default
`;

const readStandardInput = async (): Promise<string | undefined> => {
  if (process.stdin.isTTY) return undefined;
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
};

/** What the caller said, completed by what can be found: the prompt and the credential. */
const complete = async (
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

const perform = async (
  raw: RawOptions,
  { environment, temporaryDirectory, toolCache }: Surroundings,
  folder: string,
  terminal: Terminal,
) => {
  const settings = await buildRunSettings(raw, {
    environment,
    workspace: process.cwd(),
    confined: false,
    folder,
    temporaryDirectory,
    toolCache,
    codeIsTrusted: true,
  });
  for (const { message } of settings.remarks)
    terminal.line(terminal.palette.yellow(visible(`Note: ${message}`)));
  const { observer, close } = watchRun(terminal, settings.harness.logLevel);
  try {
    const { result, verdicts } = await runWithModel(settings, observer);
    return { result, settings, verdicts, failure: endingOfRun(result, settings).failure };
  } finally {
    close();
  }
};

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: { ...runArguments, json: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values["help"]) {
    process.stdout.write(help);
    return 0;
  }
  if (positionals.length > 1) throw new Failure("configuration", "Quote the prompt: it is one argument.");
  const surroundings = readSurroundings(environment);
  const terminal = openTerminal(process.stderr, surroundings.colours);
  const { line, palette } = terminal;
  const raw = await complete(rawOptionsOf(values), positionals[0], environment, (text) =>
    line(palette.dim(text)),
  );
  const folder = createRunFolder(surroundings.runsFolder);
  const { result, settings, verdicts, failure } = await perform(raw, surroundings, folder, terminal);
  keepResult(result, folder);
  const { policy } = settings;
  const report = settings.report ? await keepReport(result, folder, { name: "run", policy }) : undefined;
  process.stdout.write(values["json"] ? `${JSON.stringify(result)}\n` : answerText(result));
  for (const warning of result.warnings) line(palette.yellow(visible(`Warning: ${warning}`)));
  if (failure)
    line(`${palette.red(`Failed (${failure.kind}):`)} ${visible(`${failure.message}\n${failure.advice}`)}`);
  const unmet = verdicts.some(({ ok }) => !ok);
  if (unmet) line(visible(diffOf(verdicts)));
  line(palette.dim(`${result.denials.length} denied, ${seconds(result.durationMs)}`));
  if (report) line(palette.dim(`Report: ${pathToFileURL(report).href}`));
  return failure?.exitCode ?? (unmet ? 1 : 0);
};
