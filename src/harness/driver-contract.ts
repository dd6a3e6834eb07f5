/** What the driver is told, in the variables of its environment. */
import { placeholderKey } from "../settings/provider.ts";
import type { Run } from "./attempt.ts";
import type { Broker } from "./broker.ts";
import type { DriverContract } from "./environment.ts";
import type { HarnessSettings } from "./settings.ts";

/** The provider as the driver may know it: the broker's address in place of the real one, and no key. */
const providerText = ({ credential }: HarnessSettings, broker: Broker | undefined): string | undefined => {
  if (credential.kind !== "provider" || broker === undefined) return undefined;
  const { type, apiKey, wireApi, apiVersion } = credential.provider;
  return JSON.stringify({
    type,
    baseUrl: broker.url,
    headers: broker.headers,
    ...(apiKey && { apiKey: placeholderKey }),
    ...(wireApi && { wireApi }),
    ...(apiVersion && { azure: { apiVersion } }),
  });
};

const textOf = (value: number | boolean | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

export const contractOf = (
  run: Run,
  uri: string,
  sendTimeout: string | undefined,
  resultFile: string,
): DriverContract => {
  const { settings, promptFile, token, broker } = run;
  return {
    GH_AW_PROMPT: promptFile,
    COPILOT_SDK_URI: uri,
    COPILOT_CONNECTION_TOKEN: token,
    COPILOT_MODEL: settings.model,
    COPILOT_SDK_SEND_TIMEOUT_MS: sendTimeout,
    COPILOT_SDK_LOG_LEVEL: settings.logLevel,
    GITHUB_WORKSPACE: settings.workspace,
    COPILOT_SDK_PERMISSIONS: settings.permissions && JSON.stringify(settings.permissions),
    COPILOT_SDK_PROVIDER: providerText(settings, broker),
    GH_AW_MCP_CONFIG: settings.mcpConfigFile,
    COPILOT_REASONING_EFFORT: settings.reasoningEffort,
    COPILOT_SDK_STALL_TIMEOUT_MS: textOf(settings.stallTimeoutMs),
    GH_AW_MAX_TOOL_DENIALS: textOf(settings.maxToolDenials),
    GH_AW_SESSION_STATE_BASE_DIR: settings.eventLogBase,
    COPILOT_SDK_RESULT_FILE: resultFile,
    COPILOT_SDK_CUSTOM_INSTRUCTIONS: textOf(settings.customInstructions),
    COPILOT_SDK_MAX_AI_CREDITS: textOf(settings.maxAiCredits),
    COPILOT_SDK_DENIAL_LOG_FILE: settings.denialLogFile,
    COPILOT_SDK_OUTPUT_SCHEMA_FILE: settings.outputSchemaFile,
  };
};
