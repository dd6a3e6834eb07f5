import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logLevels, type LogLevel } from "../log.ts";
import { parseUrl } from "../parse-url.ts";
import { parseMcpServers, type McpServers } from "./mcp-servers.ts";
import { readPermissions, type PermissionConfig } from "./permissions.ts";
import {
  collectProblems,
  isRecord,
  parseJson,
  valueOf,
  type Environment,
  type Problems,
} from "./problems.ts";
import { readProvider, type ProviderSettings } from "./provider.ts";
import { readTextFile } from "./text-file.ts";

export type OutputSchema = { file: string; schema: Record<string, unknown> | boolean };

export type DriverSettings = {
  prompt: string;
  uri: string;
  connectionToken: string;
  model: string;
  reasoningEffort: string | undefined;
  workingDirectory: string;
  customInstructions: boolean;
  maxAiCredits: number | undefined;
  permissions: PermissionConfig | undefined;
  provider: ProviderSettings;
  mcpServers: McpServers;
  sendTimeoutMs: number;
  stallTimeoutMs: number;
  maxToolDenials: number | undefined;
  outputSchema: OutputSchema | undefined;
  logLevel: LogLevel;
  eventLogBase: string;
  resultFile: string | undefined;
  denialLogFile: string | undefined;
};

/** Longer timers overflow to one millisecond. */
const longestTimer = 2 ** 31 - 1;

const required = ["GH_AW_PROMPT", "COPILOT_SDK_URI", "COPILOT_CONNECTION_TOKEN", "COPILOT_MODEL"] as const;

const requireAll = (environment: Environment, problems: Problems): string[] => {
  const missing = required.filter((name) => valueOf(environment, name) === undefined);
  if (missing.length > 0)
    problems.add(`${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set`);
  return required.map((name) => valueOf(environment, name) ?? "");
};

const milliseconds = (text: string | undefined, fallback: number, pattern = /^[1-9]\d*$/): number =>
  text !== undefined && pattern.test(text) ? Math.min(Number(text), longestTimer) : fallback;

const logLevelOf = (environment: Environment): LogLevel => {
  const text = valueOf(environment, "COPILOT_SDK_LOG_LEVEL");
  return logLevels.find((level) => level === text) ?? "warning";
};

const checkUri = (uri: string, problems: Problems): void => {
  const [, v6, port] =
    /^(?:https?:\/\/)?(?:(?:[^\s:/[\]]*|(\[[0-9a-fA-F:.]+\])):)?(\d{1,5})$/.exec(uri) ?? [];
  const hostIsRight = v6 === undefined || parseUrl(`http://${v6}`) !== undefined;
  if (uri !== "" && !(hostIsRight && Number(port) > 0 && Number(port) < 65536)) {
    problems.add("COPILOT_SDK_URI must be port, host:port, [v6]:port or http://host:port");
  }
};

const positiveNumber = (
  environment: Environment,
  name: string,
  pattern: RegExp,
  what: string,
  problems: Problems,
) => {
  const text = valueOf(environment, name);
  if (text === undefined) return undefined;
  if (pattern.test(text) && Number(text) > 0) return Number(text);
  problems.add(`${name} must be ${what}`);
  return undefined;
};

const workingDirectoryOf = (environment: Environment, problems: Problems): string => {
  const directory = valueOf(environment, "GITHUB_WORKSPACE");
  if (directory === undefined) return process.cwd();
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    problems.add(`GITHUB_WORKSPACE: ${directory} is not a directory`);
  }
  return directory;
};

const flag = (environment: Environment, name: string, fallback: boolean, problems: Problems): boolean => {
  const text = valueOf(environment, name)?.toLowerCase();
  if (text !== undefined && text !== "true" && text !== "false")
    problems.add(`${name} must be true or false`);
  return text === undefined ? fallback : text === "true";
};

const reasoningEffortOf = (environment: Environment, problems: Problems): string | undefined => {
  const effort = valueOf(environment, "COPILOT_REASONING_EFFORT");
  if (effort !== undefined && !/^[a-z]+$/.test(effort))
    problems.add("COPILOT_REASONING_EFFORT must be one word, such as low, medium or high");
  return effort;
};

const mcpServersOf = (environment: Environment, problems: Problems): McpServers => {
  const file = valueOf(environment, "GH_AW_MCP_CONFIG");
  if (file === undefined) return {};
  const text = readTextFile("GH_AW_MCP_CONFIG", file, problems);
  return text === undefined ? {} : parseMcpServers(text, `GH_AW_MCP_CONFIG: ${file}`, problems);
};

const outputSchemaOf = (environment: Environment, problems: Problems): OutputSchema | undefined => {
  const setting = "COPILOT_SDK_OUTPUT_SCHEMA_FILE";
  const file = valueOf(environment, setting);
  const text = file && readTextFile(setting, file, problems);
  if (!file || text === undefined) return undefined;
  const schema = parseJson(text, `${setting}: ${file}`, problems);
  if (isRecord(schema) || typeof schema === "boolean") return { file, schema };
  if (schema !== undefined) problems.add(`${setting}: ${file} is not a JSON Schema`);
  return undefined;
};

/** Section 4 of the specification, and the carriers that it leaves open. Every mistake is named in one failure. */
export const readDriverSettings = (environment: Environment): DriverSettings => {
  const problems = collectProblems();
  const [promptFile = "", uri = "", , model = ""] = requireAll(environment, problems);
  checkUri(uri, problems);
  const settings: DriverSettings = {
    prompt: promptFile === "" ? "" : (readTextFile("GH_AW_PROMPT", promptFile, problems) ?? ""),
    uri,
    connectionToken: environment["COPILOT_CONNECTION_TOKEN"] ?? "",
    model,
    reasoningEffort: reasoningEffortOf(environment, problems),
    workingDirectory: workingDirectoryOf(environment, problems),
    customInstructions: flag(environment, "COPILOT_SDK_CUSTOM_INSTRUCTIONS", true, problems),
    maxAiCredits: positiveNumber(
      environment,
      "COPILOT_SDK_MAX_AI_CREDITS",
      /^\d+(\.\d+)?$/,
      "a positive number",
      problems,
    ),
    permissions: readPermissions(environment, problems),
    provider: readProvider(environment, problems),
    mcpServers: mcpServersOf(environment, problems),
    sendTimeoutMs: milliseconds(valueOf(environment, "COPILOT_SDK_SEND_TIMEOUT_MS"), 600_000),
    stallTimeoutMs: milliseconds(valueOf(environment, "COPILOT_SDK_STALL_TIMEOUT_MS"), 300_000, /^\d+$/),
    maxToolDenials: positiveNumber(
      environment,
      "GH_AW_MAX_TOOL_DENIALS",
      /^\d+$/,
      "a positive whole number",
      problems,
    ),
    outputSchema: outputSchemaOf(environment, problems),
    logLevel: logLevelOf(environment),
    eventLogBase:
      valueOf(environment, "GH_AW_SESSION_STATE_BASE_DIR") ??
      join(tmpdir(), "gh-aw", "sandbox", "agent", "logs", "copilot-session-state"),
    resultFile: valueOf(environment, "COPILOT_SDK_RESULT_FILE"),
    denialLogFile: valueOf(environment, "COPILOT_SDK_DENIAL_LOG_FILE"),
  };
  problems.throwIfAny();
  return settings;
};

/** Where a harness hands over what it keeps out of the environment. */
export const secretsDescriptorOf = (environment: Environment): string | undefined =>
  valueOf(environment, "COPILOT_DRIVER_SECRETS_FD");

/** What a run needs even when its settings are wrong: how to speak, and where to leave the result. */
export const readDriverEssentials = (environment: Environment) => ({
  logLevel: logLevelOf(environment),
  connectionToken: environment["COPILOT_CONNECTION_TOKEN"] ?? "",
  resultFile: valueOf(environment, "COPILOT_SDK_RESULT_FILE"),
});
