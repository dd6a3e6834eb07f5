import { isOfRootAgent } from "./completion.ts";
import type { AgentEvent } from "./engine.ts";
import type { CodeChanges } from "./result.ts";
import { trackToolCalls } from "./tool-calls.ts";
import { numberIn, trackUsage } from "./usage.ts";

/** What the events tell about the run so far; as true after a failure as after success. */
export const keepAccount = (options: { mcpServers: string[]; now: () => number }) => {
  const { mcpServers, now } = options;
  const usage = trackUsage();
  const toolCalls = trackToolCalls(now);
  const brokenServers = new Map<string, string>();
  let lastEventAt = now();
  let answer = "";
  let model: string | undefined;
  let runtimeVersion: string | undefined;
  let codeChanges: CodeChanges | undefined;

  const noteServer = (name: unknown, status: unknown, error: unknown): void => {
    const server = String(name);
    if (!mcpServers.includes(server)) return;
    if (status === "failed" || status === "needs-auth")
      brokenServers.set(server, typeof error === "string" ? error : status);
    else if (status === "connected") brokenServers.delete(server);
  };

  const reactions: Record<string, (event: AgentEvent) => void> = {
    "session.start": ({ data }) => (runtimeVersion = String(data["copilotVersion"])),
    "assistant.message": (event) => {
      const { content, toolRequests } = event.data;
      const isIntermediate = Array.isArray(toolRequests) && toolRequests.length > 0;
      if (isOfRootAgent(event) && !isIntermediate && typeof content === "string") answer = content;
    },
    "assistant.usage": (event) => {
      if (isOfRootAgent(event) && typeof event.data["model"] === "string") model = event.data["model"];
    },
    "session.mcp_servers_loaded": ({ data }) => {
      const servers = Array.isArray(data["servers"]) ? (data["servers"] as Record<string, unknown>[]) : [];
      for (const { name, status, error } of servers) noteServer(name, status, error);
    },
    "session.mcp_server_status_changed": ({ data }) =>
      noteServer(data["serverName"], data["status"], data["error"]),
    "session.shutdown": ({ data }) => {
      const { filesModified } = (data["codeChanges"] ?? {}) as Record<string, unknown>;
      codeChanges = {
        filesModified: Array.isArray(filesModified) ? filesModified.map(String) : [],
        linesAdded: numberIn(data, "codeChanges", "linesAdded"),
        linesRemoved: numberIn(data, "codeChanges", "linesRemoved"),
      };
    },
  };

  return {
    observe: (event: AgentEvent): void => {
      lastEventAt = now();
      usage.observe(event);
      toolCalls.observe(event);
      if (Object.hasOwn(reactions, event.type)) reactions[event.type]?.(event);
    },
    silentFor: () => now() - lastEventAt,
    runningTools: toolCalls.runningCount,
    hasAnswer: () => answer.trim() !== "",
    answer: () => answer,
    brokenServers: (): string[] =>
      [...brokenServers].map(([name, why]) => `MCP server ${name} did not start: ${why}`),
    summary: () => ({
      ...(model !== undefined && { model }),
      ...(runtimeVersion !== undefined && { runtimeVersion }),
      ...(codeChanges !== undefined && { codeChanges }),
      usage: usage.total(),
      tools: toolCalls.statistics(),
    }),
  };
};

export type Account = ReturnType<typeof keepAccount>;
