/** One real run, and the model's side of it as a script that plays it again offline. */
import { accessSync, constants, existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import { secretsOf } from "../harness/credentials.ts";
import { createRedactor } from "../redact.ts";
import { recordRehearsal } from "../rehearsal/recorder.ts";
import { startRecordingProxy } from "../rehearsal/recording-proxy.ts";
import { writeScript } from "../rehearsal/write-script.ts";
import { createWords } from "../report/words.ts";
import { readSurroundings } from "../settings/command-line.ts";
import { valueOf, type Environment } from "../settings/problems.ts";
import type { RunSettings } from "../settings/run.ts";
import { parseArguments } from "./arguments.ts";
import { conclude } from "./conclude.ts";
import { keepReport, keepResult, keptResultOf } from "./keep-run.ts";
import { completeOptions, perform, settingsFor } from "./perform.ts";
import { createRunFolder } from "./run-folder.ts";
import { rawOptionsOf, runArguments, runOptionsHelp } from "./run-options.ts";
import { answerText, openTerminal } from "./terminal.ts";

const { count } = createWords();

export const help = `Usage: copilot-driver record [prompt] -o <script.yml> [options of run]

Runs once for real, and writes what the model did as a rehearsal script, without secrets:
\`copilot-driver rehearse script.yml\` plays it again, offline and free. The workspace's files are not in the script; add
those that the tools need under \`files\`. What a model says through OpenAI's Responses API cannot be recorded: choose
\`--provider-wire-api completions\`, or another model.

Options:
  -o, --output <file>
      Where to write the script.
  --force
      Overwrite it.
${runOptionsHelp}

Exit codes: those of run.

Example:
  copilot-driver record "Fix the typo in README.md" -a read -a write -o typo.yml
`;

/** Before the model costs anything. */
const checkOutput = (output: unknown, force: boolean): string => {
  if (typeof output !== "string") throw new Failure("configuration", "Where to? Give -o <script.yml>.");
  if (existsSync(output) && !force)
    throw new Failure("configuration", `${output} exists; --force overwrites it.`);
  try {
    accessSync(existsSync(output) ? output : dirname(resolve(output)), constants.W_OK);
  } catch (error) {
    throw new Failure("configuration", `Cannot write ${output} (${messageOf(error)}).`);
  }
  return output;
};

/** What was paid for is not lost: it stays in the folder of the run if it cannot be written where it should. */
const writeRecording = (script: string, output: string, folder: string): void => {
  try {
    writeFileSync(output, script);
  } catch (error) {
    const kept = join(folder, "rehearsal.yml");
    writeFileSync(kept, script);
    throw new Failure("record", `Cannot write ${output} (${messageOf(error)}); the script is in ${kept}.`);
  }
};

const copilotApi = "https://api.githubcopilot.com";

const responsesRefusal =
  "What a model says through the Responses API cannot be recorded: choose --provider-wire-api completions, or another model.";

/** The run's settings with the recording proxy before the service. */
const through = async (settings: RunSettings, environment: Environment) => {
  const { source } = settings;
  if (source.kind !== "service") throw new Failure("configuration", "A rehearsal is a script already.");
  const { credential } = source;
  if (credential.kind === "provider") {
    const { provider } = credential;
    if (provider.wireApi === "responses") throw new Failure("configuration", responsesRefusal);
    const { origin } = new URL(provider.baseUrl);
    const proxy = await startRecordingProxy(origin);
    const baseUrl = provider.baseUrl.replace(origin, proxy.url);
    return { proxy, credential: { ...credential, provider: { ...provider, baseUrl } } };
  }
  const proxy = await startRecordingProxy(valueOf(environment, "COPILOT_API_URL") ?? copilotApi);
  const variables = {
    ...(credential.kind === "copilot" ? { COPILOT_GITHUB_TOKEN: credential.token } : credential.environment),
    COPILOT_API_URL: proxy.url,
  };
  return { proxy, credential: { kind: "scripted" as const, environment: variables } };
};

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      ...runArguments,
      output: { type: "string", short: "o" },
      force: { type: "boolean" },
    },
  });
  const output = checkOutput(values["output"], values["force"] === true);
  const surroundings = readSurroundings(environment);
  const terminal = openTerminal(process.stderr, surroundings);
  const raw = await completeOptions(rawOptionsOf(values), positionals[0], environment, terminal.line);
  const folder = createRunFolder(surroundings.runsFolder);
  const settings = await settingsFor(raw, surroundings, folder);
  const { proxy, credential } = await through(settings, environment);
  try {
    const { result, failure } = await perform(
      { ...settings, source: { kind: "service", credential } },
      terminal,
    );
    process.stdout.write(answerText(result));
    const kept = keptResultOf(result, settings);
    keepResult(kept, folder);
    const secrets = settings.source.kind === "service" ? secretsOf(settings.source.credential) : [];
    const { prompt, workspace, permissions } = settings.harness;
    const rehearsal = recordRehearsal(proxy.exchanges, {
      prompt,
      workspace,
      redactor: createRedactor(secrets),
      ...(permissions && { permissions: permissions as { allowedTools: string[] } }),
    });
    if (proxy.missedSome()) throw new Failure("configuration", responsesRefusal);
    if (rehearsal.turns.length === 0)
      throw new Failure("unknown", `The model was never heard${failure ? `: ${failure.message}` : ""}.`);
    writeRecording(writeScript(rehearsal), output, folder);
    const { policy } = settings;
    const report = settings.report ? await keepReport(kept, folder, { name: "run", policy }) : undefined;
    conclude({ result, verdicts: [], failure, report }, terminal);
    terminal.line(`Wrote ${output}: ${count(rehearsal.turns.length, "turn")}`);
    return failure?.exitCode ?? 0;
  } finally {
    await proxy.close();
  }
};
