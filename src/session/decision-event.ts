import { randomUUID } from "node:crypto";
import type { Decision } from "../policy/decide.ts";
import { summarize } from "../policy/summarize.ts";
import type { AgentEvent } from "./engine.ts";

/** A line of the event log that is ours: the runtime records that a request was refused, only we know why. */
export const decisionEvent = (
  request: unknown,
  { decision, reason, message, rule, part }: Decision,
): AgentEvent => ({
  type: "driver.permission_decided",
  id: randomUUID(),
  timestamp: new Date().toISOString(),
  parentId: null,
  data: {
    toolCallId: (request as { toolCallId?: unknown } | null)?.toolCallId,
    request: summarize(request),
    decision,
    reason,
    message,
    ...(rule !== undefined && { rule }),
    ...(part !== undefined && { part }),
  },
});
