import { randomUUID } from "node:crypto";
import type { AgentEvent } from "./engine.ts";
import { callUsageOf } from "./usage.ts";

/** A line of the event log that is ours: the runtime's own account of a model call is ephemeral, and would be lost. */
export const modelUsedEvent = (event: AgentEvent): AgentEvent => {
  const { timestamp, agentId, ...data } = callUsageOf(event);
  return {
    type: "driver.model_used",
    id: randomUUID(),
    timestamp,
    parentId: null,
    ...(agentId !== undefined && { agentId }),
    data,
  };
};
