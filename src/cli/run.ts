/** A real run with the caller's own credential. */
import { Failure } from "../errors.ts";
import { readSurroundings } from "../settings/command-line.ts";
import type { Environment } from "../settings/problems.ts";
import { parseArguments } from "./arguments.ts";
import { conclude } from "./conclude.ts";
import { keepReport, keepResult, keptResultOf } from "./keep-run.ts";
import { completeOptions, perform, settingsFor } from "./perform.ts";
import { createRunFolder } from "./run-folder.ts";
import { rawOptionsOf, runArguments, runOptionsHelp } from "./run-options.ts";
import { answerText, openTerminal } from "./terminal.ts";

export const help = `Usage: copilot-driver run [prompt] [options]

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

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: { ...runArguments, json: { type: "boolean" } },
  });
  if (positionals.length > 1) throw new Failure("configuration", "Quote the prompt: it is one argument.");
  const surroundings = readSurroundings(environment);
  const terminal = openTerminal(process.stderr, surroundings);
  const { line, palette } = terminal;
  const raw = await completeOptions(rawOptionsOf(values), positionals[0], environment, (text) =>
    line(palette.dim(text)),
  );
  const folder = createRunFolder(surroundings.runsFolder);
  const settings = await settingsFor(raw, surroundings, folder);
  const { result, verdicts, failure } = await perform(settings, terminal);
  // First of all: a full disk must not cost the answer.
  process.stdout.write(values["json"] ? `${JSON.stringify(result)}\n` : answerText(result));
  const { policy } = settings;
  const kept = keptResultOf(result, { policy, verdicts });
  keepResult(kept, folder);
  const report = settings.report ? await keepReport(kept, folder, { name: "run", policy }) : undefined;
  conclude({ result, verdicts, failure, report }, terminal);
  return failure?.exitCode ?? (verdicts.some(({ ok }) => !ok) ? 1 : 0);
};
