/** The whole pipeline with a scripted model. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import { failureOfRun } from "../harness/failure-of-run.ts";
import { describeDiagnostic, isMistake } from "../policy/diagnose.ts";
import { policyOf } from "../policy/rules.ts";
import { defaultScript } from "../rehearsal/default-script.ts";
import { play, type Played } from "../rehearsal/play.ts";
import { describeMistakes, parseScript, type Rehearsal } from "../rehearsal/script.ts";
import { prepareWorkspace } from "../rehearsal/workspace.ts";
import { readSurroundings, type Surroundings } from "../settings/command-line.ts";
import type { Environment } from "../settings/problems.ts";
import { parseArguments } from "./arguments.ts";
import { conclude } from "./conclude.ts";
import { keepReport, keepResult, keptResultOf } from "./keep-run.ts";
import { createRunFolder } from "./run-folder.ts";
import { answerText, openTerminal, type Terminal } from "./terminal.ts";
import { visible } from "./visible.ts";
import { watchRun } from "./watch-run.ts";

export const help = `Usage: copilot-driver rehearse [script.yml] [--allow <entry> …] [--json]

Runs a script through the real Copilot runtime, its real tools and your real policy, in a throwaway workspace:
no account, no network, no cost, the same every time. Without a script, a built-in one shows what a run looks like.
docs/rehearsal.md describes scripts.

Options:
  --allow <entry>  Try this allow list instead of the script's; may be repeated
  --json           Print {result, expectations} as JSON
  --stall-timeout-minutes <number>
                   Give the model up when nothing happens for so long. Default: 5
  --verbose        Show the driver's log

Exit codes: 0 all expectations met, 1 one was not met, 2 the script or an option is wrong; where the script expects
no exit code, that of the run.

Examples:
  copilot-driver rehearse
  copilot-driver rehearse policy-test.yml
  copilot-driver rehearse policy-test.yml --allow read --allow 'shell(git status)'
`;

const readScript = (file: string | undefined): Rehearsal => {
  const read = (path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      throw new Failure("configuration", `Cannot read ${path} (${messageOf(error)}).`);
    }
  };
  const parsed = parseScript(file === undefined ? defaultScript : read(file));
  if (parsed.kind === "rehearsal") return parsed.rehearsal;
  throw new Failure("configuration", describeMistakes(file ?? "the built-in script", parsed.mistakes));
};

const withEntries = (script: Rehearsal, allowedTools: string[]): Rehearsal => {
  const { diagnostics } = policyOf({ allowedTools });
  const mistakes = diagnostics.filter((found) => isMistake(found, Object.keys(script.mcpServers)));
  if (mistakes.length > 0)
    throw new Failure(
      "configuration",
      mistakes.map((mistake) => `--allow: ${describeDiagnostic(mistake)}`).join("\n"),
    );
  return { ...script, permissions: { allowedTools } };
};

/** Whoever ends a rehearsal half-way asks nothing of it any more. */
const wasInterrupted = ({ result }: Played): boolean => result.exitCode > 128;

const exitCodeOf = (rehearsal: Rehearsal, played: Played): number => {
  const { result, verdicts } = played;
  if (verdicts.some(({ ok }) => !ok)) return 1;
  return rehearsal.exitCode === undefined || wasInterrupted(played) ? result.exitCode : 0;
};

const rehearse = async (
  rehearsal: Rehearsal,
  { environment, toolCache, temporaryDirectory }: Surroundings,
  options: { folder: string; terminal: Terminal; verbose: boolean; stallTimeoutMs: number },
): Promise<Played> => {
  const { folder, terminal, verbose, stallTimeoutMs } = options;
  const prepared = await prepareWorkspace(rehearsal);
  const mcpConfigFile = join(folder, "mcp.json");
  writeFileSync(mcpConfigFile, JSON.stringify({ mcpServers: prepared.rehearsal.mcpServers }));
  const { observer, close } = watchRun(terminal, verbose ? "debug" : "error");
  try {
    const { prompt, permissions } = prepared.rehearsal;
    const settings = {
      prompt,
      permissions,
      mcpConfigFile,
      workspace: prepared.directory,
      parentEnvironment: environment,
      timeLimit: { kind: "default" },
      stallTimeoutMs,
      toolCache,
      temporaryDirectory,
      eventLogBase: join(folder, "events"),
      logLevel: verbose ? "debug" : "error",
      retries: 0,
    } as const;
    return await play(prepared.rehearsal, settings, observer);
  } finally {
    close();
    await prepared.remove();
  }
};

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      allow: { type: "string", multiple: true },
      json: { type: "boolean", default: false },
      "stall-timeout-minutes": { type: "string", default: "5" },
      verbose: { type: "boolean", default: false },
    },
  });
  if (positionals.length > 1) throw new Failure("configuration", "Give one script at a time.");
  const stallTimeoutMs = Math.round(Number(values["stall-timeout-minutes"]) * 60_000);
  if (!(stallTimeoutMs > 0))
    throw new Failure("configuration", "--stall-timeout-minutes: must be a number above 0.");
  const script = readScript(positionals[0]);
  const rehearsal = values.allow ? withEntries(script, values.allow) : script;
  const surroundings = readSurroundings(environment);
  const folder = createRunFolder(surroundings.runsFolder);
  const terminal = openTerminal(process.stderr, surroundings);
  if (rehearsal.name) terminal.line(terminal.palette.bold(visible(rehearsal.name)));
  const whole = await rehearse(rehearsal, surroundings, {
    folder,
    terminal,
    verbose: values.verbose,
    stallTimeoutMs,
  });
  const played = wasInterrupted(whole) ? { ...whole, verdicts: [] } : whole;
  if (!values.json) process.stdout.write(answerText(played.result));
  else process.stdout.write(`${JSON.stringify({ result: played.result, expectations: played.verdicts })}\n`);
  const { policy } = policyOf(rehearsal.permissions);
  const result = keptResultOf(played.result, { policy, verdicts: played.verdicts });
  keepResult(result, folder);
  const report = await keepReport(result, folder, { name: rehearsal.name ?? "rehearsal", policy });
  const wishes = { failOnEmpty: true, failOnDenied: false, structured: false };
  conclude({ ...played, failure: failureOfRun(played.result, wishes), report }, terminal);
  return exitCodeOf(rehearsal, played);
};
