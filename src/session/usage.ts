import type { AgentEvent } from "./engine.ts";

export type ModelUsage = {
  requests: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  premiumRequests: number;
  /** In AI credits. */
  cost: number;
};

/** One model call, for the course of tokens and cost over a run. */
export type CallUsage = Omit<ModelUsage, "requests"> & {
  timestamp: string;
  model: string;
  agentId?: string;
  apiCallId?: string;
};

export type Usage = ModelUsage & { models: Record<string, ModelUsage>; calls: CallUsage[] };

const mostCalls = 10_000;

const nothing = (): ModelUsage => ({
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  premiumRequests: 0,
  cost: 0,
});

const nanoUnits = 1e9;

export const numberIn = (value: unknown, ...path: string[]): number => {
  const found = path.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | undefined | null)?.[key],
    value,
  );
  return typeof found === "number" && Number.isFinite(found) ? found : 0;
};

const add = (to: ModelUsage, what: ModelUsage): void => {
  for (const key of Object.keys(to) as (keyof ModelUsage)[]) to[key] += what[key];
};

export const callUsageOf = ({ timestamp, agentId, data }: AgentEvent): CallUsage => {
  const { apiCallId } = data;
  return {
    timestamp,
    model: String(data["model"]),
    inputTokens: numberIn(data, "inputTokens"),
    outputTokens: numberIn(data, "outputTokens"),
    cacheReadTokens: numberIn(data, "cacheReadTokens"),
    cacheWriteTokens: numberIn(data, "cacheWriteTokens"),
    premiumRequests: numberIn(data, "cost"),
    cost: numberIn(data, "copilotUsage", "totalNanoAiu") / nanoUnits,
    ...(agentId !== undefined && { agentId }),
    ...(typeof apiCallId === "string" && { apiCallId }),
  };
};

/** Model calls report their usage in ephemeral events as they happen; the final event, if it comes, is the better account. */
export const trackUsage = () => {
  let models = new Map<string, ModelUsage>();

  const calls: CallUsage[] = [];

  const fromCall = (event: AgentEvent): void => {
    const call = callUsageOf(event);
    const model = models.get(call.model) ?? nothing();
    models.set(call.model, model);
    add(model, { requests: 1, ...call });
    if (calls.length < mostCalls) calls.push(call);
  };

  const fromShutdown = ({ data }: AgentEvent): void => {
    const metrics = Object.entries((data["modelMetrics"] ?? {}) as Record<string, unknown>);
    if (metrics.length === 0) return;
    models = new Map(
      metrics.map(([name, metric]) => [
        name,
        {
          requests: numberIn(metric, "requests", "count"),
          inputTokens: numberIn(metric, "usage", "inputTokens"),
          outputTokens: numberIn(metric, "usage", "outputTokens"),
          cacheReadTokens: numberIn(metric, "usage", "cacheReadTokens"),
          cacheWriteTokens: numberIn(metric, "usage", "cacheWriteTokens"),
          premiumRequests: numberIn(metric, "requests", "cost"),
          cost: numberIn(metric, "totalNanoAiu") / nanoUnits,
        },
      ]),
    );
  };

  return {
    observe: (event: AgentEvent): void => {
      if (event.type === "assistant.usage") fromCall(event);
      if (event.type === "session.shutdown") fromShutdown(event);
    },
    total: (): Usage => {
      const total = nothing();
      for (const model of models.values()) add(total, model);
      return { ...total, models: Object.fromEntries(models), calls };
    },
  };
};
