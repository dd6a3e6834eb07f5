import type { AgentEvent } from "./engine.ts";

export type ToolStatistics = { name: string; calls: number; failures: number; totalMs: number };

/** Two sub-agents may use the same call id. */
const keyOf = ({ agentId, data }: AgentEvent): string => `${agentId ?? ""}\n${String(data["toolCallId"])}`;

/** Pairs starts with completions: what still runs, and how each tool did. */
export const trackToolCalls = (now: () => number) => {
  const running = new Map<string, { statistics: ToolStatistics; startedAt: number }>();
  const tools = new Map<string, ToolStatistics>();

  const start = (event: AgentEvent): void => {
    const name = String(event.data["toolName"]);
    const statistics = tools.get(name) ?? { name, calls: 0, failures: 0, totalMs: 0 };
    statistics.calls++;
    tools.set(name, statistics);
    running.set(keyOf(event), { statistics, startedAt: now() });
  };

  const complete = (event: AgentEvent): void => {
    const call = running.get(keyOf(event));
    if (!call) return;
    running.delete(keyOf(event));
    call.statistics.totalMs += Math.round(now() - call.startedAt);
    if (event.data["success"] !== true) call.statistics.failures++;
  };

  return {
    observe: (event: AgentEvent): void => {
      if (event.type === "tool.execution_start") start(event);
      if (event.type === "tool.execution_complete") complete(event);
    },
    runningCount: () => running.size,
    statistics: (): ToolStatistics[] => [...tools.values()],
  };
};
