import type { McpServers } from "../settings/mcp-servers.ts";
import type { ProviderSettings } from "../settings/provider.ts";

/** What a session needs of an agent engine. The Copilot SDK is one; others can stand beside it. */

/** An event as it comes from outside: only the envelope is known, the rest is to be looked at with care. */
export type AgentEvent = {
  type: string;
  id: string;
  timestamp: string;
  data: Record<string, unknown>;
  parentId?: string | null;
  agentId?: string;
  ephemeral?: boolean;
};

export type PermissionAnswer = { approve: true } | { approve: false; feedback: string };

export type ToolUse = { toolName: string; toolArguments: unknown };

export type SessionOptions = {
  sessionId: string;
  model: string;
  reasoningEffort: string | undefined;
  workingDirectory: string;
  customInstructions: boolean;
  maxAiCredits: number | undefined;
  provider: ProviderSettings;
  mcpServers: McpServers;
  onEvent: (event: AgentEvent) => void;
  /** Absent: the engine's own default policy decides. */
  onPermissionRequest?: (request: unknown) => PermissionAnswer;
  onToolUse?: (use: ToolUse) => PermissionAnswer;
};

export type AgentSession = {
  send: (prompt: string) => Promise<void>;
  abort: () => Promise<void>;
  /** Work that goes on although the agent is idle. */
  countBackgroundTasks: () => Promise<number>;
  close: () => Promise<void>;
};

export type AgentEngine = {
  start: () => Promise<void>;
  /** Resolves when the connection has ended without our doing, after every event that came before. */
  lost: Promise<void>;
  createSession: (options: SessionOptions) => Promise<AgentSession>;
  stop: () => Promise<void>;
};
