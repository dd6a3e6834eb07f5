/** The options of a run → validated settings. Every mistake is named in one failure. */
import { realpathSync, statSync } from "node:fs";
import { extname, isAbsolute, join, relative, resolve } from "node:path";
import { checkCredential, type Credential } from "../harness/credentials.ts";
import { checkAgentNames } from "../harness/environment.ts";
import type { Wishes } from "../harness/failure-of-run.ts";
import type { HarnessSettings } from "../harness/settings.ts";
import { logLevels } from "../log.ts";
import type { Diagnostic, Policy } from "../policy/rules.ts";
import type { Rehearsal } from "../rehearsal/script.ts";
import type { McpServers } from "./mcp-servers.ts";
import { credentialOf, rehearsalOf } from "./model-source.ts";
import { readOptions, type OptionReader, type RawOptions } from "./option-values.ts";
import { instructionModes, writeAccessModes, type WriteAccessMode } from "./options.ts";
import { collectProblems, type Problems } from "./problems.ts";
import type { RunContext } from "./run-context.ts";
import { executableOf, mcpConfigOf, optionFiles, placeFile, promptOf, schemaOf } from "./run-files.ts";
import { permissionsOf, policyFor } from "./run-policy.ts";

/** What answers: the service behind a credential, or a script. */
export type ModelSource =
  | { kind: "service"; credential: Credential }
  /** `own`: the user's script, whose expectations are a test; the built-in one only shows how a run looks. */
  | { kind: "rehearsal"; rehearsal: Rehearsal; own: boolean };

export type RunSettings = {
  harness: Omit<HarnessSettings, "credential">;
  source: ModelSource;
  policy: Policy;
  mcpServers: McpServers;
  /** Oddities of the allow list that are no mistakes. */
  remarks: Pick<Diagnostic, "message">[];
  report: boolean;
  failOnDenied: boolean;
  failOnEmpty: boolean;
  requireWriteAccess: WriteAccessMode;
  allowedActors: string[];
  actorCheckToken: string | undefined;
};

export const wishesOf = ({ failOnDenied, failOnEmpty, harness }: RunSettings): Wishes => ({
  failOnDenied,
  failOnEmpty,
  structured: harness.outputSchemaFile !== undefined,
});

const isInside = (folder: string, path: string): boolean => {
  const way = relative(realpathSync(folder), realpathSync(path));
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== "..";
};

const workingDirectoryOf = (options: OptionReader, context: RunContext, problems: Problems): string => {
  const given = options.text("working-directory");
  const directory = resolve(context.workspace, given ?? ".");
  const name = given === undefined ? "workspace" : "working-directory";
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    problems.add(`${name}: ${directory} is not a directory; has the code been checked out?`);
  else if (context.confined && !isInside(context.workspace, directory))
    problems.add(`${name}: ${directory} is outside the workspace ${context.workspace}`);
  return directory;
};

const agentEnvironmentOf = (options: OptionReader, context: RunContext, problems: Problems): string[] => {
  const names = options.lines("agent-env");
  problems.check(() => checkAgentNames(names));
  const missing = names.filter((name) => context.environment[name] === undefined);
  if (missing.length > 0) problems.add(`agent-env: not set in this environment: ${missing.join(", ")}`);
  return names;
};

const commandOf = (path: string | undefined): HarnessSettings["driver"] => {
  if (path === undefined) return undefined;
  return [".js", ".mjs", ".cjs"].includes(extname(path)) ? [process.execPath, path] : [path];
};

const reasoningEffortOf = (options: OptionReader, problems: Problems): string | undefined => {
  const effort = options.text("reasoning-effort");
  if (effort !== undefined && !/^[a-z]+$/.test(effort))
    problems.add("reasoning-effort: must be one word, such as low, medium or high");
  return effort;
};

const remarksOn = (options: OptionReader): RunSettings["remarks"] =>
  options.flag("allow-all-tools") && options.isGiven("allowed-tools")
    ? [{ message: "`allow-all-tools` allows everything; the rules in `allowed-tools` limit nothing." }]
    : [];

const minutes = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 60_000);

export const buildRunSettings = async (raw: RawOptions, context: RunContext): Promise<RunSettings> => {
  const problems = collectProblems();
  context.mistakes?.forEach(problems.add);
  const options = readOptions(raw, problems);
  const rehearsal = await rehearsalOf(options, context, problems);
  const credential = credentialOf(options, problems);
  const mcp = mcpConfigOf(options, context, problems);
  const schema = await schemaOf(options, context, problems);
  const permissions = permissionsOf(options, rehearsal?.permissions);
  const { policy, remarks } = policyFor(permissions, Object.keys(mcp?.servers ?? {}), problems);
  const customInstructions = options.choice("custom-instructions", instructionModes);
  const stallTimeoutMs = minutes(options.number("stall-timeout-minutes"));
  const settings: RunSettings = {
    harness: {
      prompt: promptOf(options, rehearsal?.prompt, context, problems),
      model: options.text("model") ?? "auto",
      workspace: workingDirectoryOf(options, context, problems),
      parentEnvironment: context.environment,
      agentEnvironment: agentEnvironmentOf(options, context, problems),
      permissions,
      reasoningEffort: reasoningEffortOf(options, problems),
      customInstructions:
        customInstructions === "auto" ? context.codeIsTrusted : customInstructions === "true",
      maxAiCredits: options.number("max-ai-credits"),
      maxToolDenials: options.number("max-tool-denials"),
      timeLimit: { kind: "minutes", minutes: options.number("timeout-minutes") ?? 0 },
      stallTimeoutMs,
      retries: options.number("retries"),
      runtimePath: executableOf("runtime-path", options, context, problems),
      driver: commandOf(executableOf("driver", options, context, problems)),
      toolCache: context.toolCache,
      eventLogBase: join(context.folder, "events"),
      temporaryDirectory: context.temporaryDirectory,
      logLevel: options.choice("log-level", logLevels) ?? "info",
    },
    source:
      rehearsal === undefined
        ? { kind: "service", credential }
        : { kind: "rehearsal", rehearsal, own: options.text("rehearsal") !== "default" },
    mcpServers: mcp?.servers ?? {},
    policy,
    remarks: [...remarks, ...remarksOn(options)],
    report: options.flag("report"),
    failOnDenied: options.flag("fail-on-denied"),
    failOnEmpty: options.flag("fail-on-empty"),
    requireWriteAccess: options.choice("require-write-access", writeAccessModes) ?? "auto",
    allowedActors: options.lines("allowed-actors"),
    actorCheckToken: options.text("actor-check-token"),
  };
  if (!options.isGiven("rehearsal")) problems.check(() => checkCredential(credential));
  problems.throwIfAny();
  settings.harness.mcpConfigFile = placeFile(context, optionFiles.mcpConfig, mcp?.text);
  settings.harness.outputSchemaFile = placeFile(context, optionFiles.outputSchema, schema);
  return settings;
};
