/** Everything that a run needs to know, as plain data: whoever starts it reads the outside world. */
import type { Log, LogLevel } from "../log.ts";
import type { SessionResult } from "../session/result.ts";
import type { Credential } from "./credentials.ts";
import type { ParentEnvironment } from "./environment.ts";
import type { TimeLimit } from "./time-limit.ts";

export type HarnessSettings = {
  prompt: string;
  model: string;
  credential: Credential;
  workspace: string;
  parentEnvironment: ParentEnvironment;
  /** Names that the user passes on to the agent. */
  agentEnvironment?: readonly string[] | undefined;
  permissions?: { allowAllTools?: boolean; allowedTools?: readonly string[] } | undefined;
  mcpConfigFile?: string | undefined;
  reasoningEffort?: string | undefined;
  customInstructions?: boolean | undefined;
  maxAiCredits?: number | undefined;
  maxToolDenials?: number | undefined;
  timeLimit: TimeLimit;
  stallTimeoutMs?: number | undefined;
  retries?: number | undefined;
  /** An explicit runtime; without it one is found or installed. */
  runtimePath?: string | undefined;
  /** Where installed runtimes are kept. */
  toolCache: string;
  /** Another driver that conforms to the specification; without it our own. */
  driver?: readonly [string, ...string[]] | undefined;
  /** The sidecar's port, where something outside expects it; without it a free one. */
  port?: number | undefined;
  sidecarReadyWithinMs?: number | undefined;
  /** Event logs are kept as <base>/<session>/events.jsonl, also after the run. */
  eventLogBase: string;
  denialLogFile?: string | undefined;
  /** A JSON Schema that the answer must fit. */
  outputSchemaFile?: string | undefined;
  temporaryDirectory: string;
  logLevel: LogLevel;
};

export type HarnessObserver = {
  log: Log;
  /** Called with each secret before its first use. */
  mask: (secret: string) => void;
  /** The driver's log, redacted, line by line. */
  onDriverLine?: ((line: string) => void) | undefined;
  /** The session's events as the driver writes them down. */
  onEvent?: ((event: unknown) => void) | undefined;
  /** What would have to be cleaned up, were this process killed. */
  onStart?: ((what: { pid: number } | { folder: string }) => void) | undefined;
};

export type HarnessResult = SessionResult & {
  attempts: number;
  /** Whether other processes of this user are kept from reading ours. */
  sealed: boolean;
  /** Requests that went to the provider through the broker. */
  providerRequests?: number;
};
