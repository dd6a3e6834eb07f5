/** The environments of sidecar and driver: built from two allowlists, never filtered from the parent's. */
import { Failure } from "../errors.ts";
import { createDetector } from "../redact.ts";

export type ParentEnvironment = Readonly<Record<string, string | undefined>>;
export type Environment = Record<string, string>;

const categories = ["ALL", "COLLATE", "CTYPE", "MESSAGES", "MONETARY", "NUMERIC", "TIME"];
const locale = ["LANG", "LANGUAGE", "TZ", ...categories.map((category) => `LC_${category}`)];
const system = ["PATH", "HOME", "TMPDIR", "TMP", "TEMP"];
/** Without these, programs do not start on Windows. */
const windows =
  "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES";
const shared = [...locale, ...system, ...windows.split(" ")];

const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
const authorities = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
const network = [...proxies, ...proxies.map((name) => name.toLowerCase()), ...authorities];

/** Telemetry headers carry keys, and the sidecar's environment is the agent's: those only when passed by name. */
const isTelemetry = (name: string): boolean => /^OTEL_[A-Z0-9_]+$/.test(name) && !/HEADERS|KEY/.test(name);

/** Credentials of the platform: never passed on, not even when asked for by name. */
const isForbidden = (name: string): boolean =>
  /^(?:ACTIONS_|INPUT_)/i.test(name) ||
  ["GITHUB_TOKEN", "GH_TOKEN", "COPILOT_GITHUB_TOKEN", "COPILOT_CONNECTION_TOKEN"].includes(
    name.toUpperCase(),
  );

/** Windows spells one name in many ways. */
const spelling = (name: string): string => (process.platform === "win32" ? name.toUpperCase() : name);

const allows = (names: readonly string[]): ((name: string) => boolean) => {
  const set = new Set(names.map(spelling));
  return (name) => set.has(spelling(name));
};

const pick = (
  parent: ParentEnvironment,
  allowed: (name: string) => boolean,
  holdsSecret: (text: string) => boolean,
): Environment =>
  Object.fromEntries(
    Object.entries(parent).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && allowed(entry[0]) && !isForbidden(entry[0]) && !holdsSecret(entry[1]),
    ),
  );

/** What the specification and its carriers name; the values come from the settings. */
export type DriverContract = {
  GH_AW_PROMPT: string;
  COPILOT_SDK_URI: string;
  COPILOT_CONNECTION_TOKEN?: string | undefined;
  COPILOT_MODEL: string;
  COPILOT_SDK_SEND_TIMEOUT_MS?: string | undefined;
  COPILOT_SDK_LOG_LEVEL?: string | undefined;
  GITHUB_WORKSPACE?: string | undefined;
  COPILOT_SDK_PERMISSIONS?: string | undefined;
  COPILOT_SDK_PROVIDER?: string | undefined;
  COPILOT_DRIVER_SECRETS_FD?: string | undefined;
  GH_AW_MCP_CONFIG?: string | undefined;
  COPILOT_REASONING_EFFORT?: string | undefined;
  COPILOT_SDK_STALL_TIMEOUT_MS?: string | undefined;
  GH_AW_MAX_TOOL_DENIALS?: string | undefined;
  GH_AW_SESSION_STATE_BASE_DIR?: string | undefined;
  COPILOT_SDK_RESULT_FILE?: string | undefined;
  COPILOT_SDK_CUSTOM_INSTRUCTIONS?: string | undefined;
  COPILOT_SDK_MAX_AI_CREDITS?: string | undefined;
  COPILOT_SDK_DENIAL_LOG_FILE?: string | undefined;
  COPILOT_SDK_OUTPUT_SCHEMA_FILE?: string | undefined;
};

export const driverEnvironment = (
  parent: ParentEnvironment,
  contract: DriverContract,
  secrets: readonly string[],
): Environment => ({
  ...pick(parent, allows(shared), createDetector(secrets)),
  ...Object.fromEntries(
    Object.entries(contract).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ),
});

/** Names that the user passes to the agent: all refusals in one message. */
export const checkAgentNames = (names: readonly string[]): void => {
  const malformed = names.filter((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (malformed.length > 0)
    throw new Failure("configuration", `agent-env: not a variable name: ${malformed.join(", ")}.`);
  const refused = names.filter(isForbidden);
  if (refused.length > 0)
    throw new Failure(
      "configuration",
      `agent-env: ${refused.join(", ")} is never passed to the agent: it is a credential of the platform.`,
    );
};

export type SidecarExtras = {
  /** The runtime's own state, apart for each run. */
  home: string;
  agentNames: readonly string[];
  /** The chosen Copilot credential, or what a scripted model needs. */
  credential: Readonly<Record<string, string>>;
};

export const sidecarEnvironment = (
  parent: ParentEnvironment,
  extras: SidecarExtras,
  secrets: readonly string[],
): Environment => {
  const listed = allows([...shared, ...network, ...extras.agentNames]);
  return {
    ...pick(parent, (name) => listed(name) || isTelemetry(name), createDetector(secrets)),
    ...extras.credential,
    COPILOT_HOME: extras.home,
  };
};

/** For npm, which runs before there is an agent and needs its own settings, but none of our secrets. */
export const installerEnvironment = (parent: ParentEnvironment, secrets: readonly string[]): Environment => {
  const listed = allows([...shared, ...network]);
  return pick(parent, (name) => listed(name) || /^npm_config_/i.test(name), createDetector(secrets));
};
