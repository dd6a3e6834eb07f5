/** Events without what differs between two runs of one script: ids, times and places. */

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const start = Date.UTC(2026, 0, 1);

/** Numbers that measure the machine, or the size of a prompt that holds paths and times, and not the session. */
const measured =
  /(?:Ms|_ms|[dD]uration|Time|Latency|SizeBytes|timestamp|^created|^tokens|^systemTokens|^currentTokens|^conversationTokens)$/;

export type Places = Readonly<Record<string, string>>;

const shorten = (text: string): string => (text.length > 4000 ? `${text.slice(0, 200)} […]` : text);

export const normaliseEvents = (
  events: readonly object[],
  places: Places = {},
): Record<string, unknown>[] => {
  const ids = new Map<string, string>();
  const stableId = (id: string): string => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`;
    ids.set(id, known);
    return known;
  };
  let moment = start;
  const stableText = (text: string): string =>
    shorten(
      Object.entries(places)
        .reduce((result, [place, name]) => result.replaceAll(place, name), text)
        .replace(uuid, stableId)
        .replace(/\bpid: \d+/g, "pid: 1")
        .replace(/\bwait time: [\d.]+ seconds/g, "wait time: 5.00 seconds")
        .replace(time, () => new Date(moment).toISOString()),
    );
  const stable = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return key === "hash" ? "0" : stableText(value);
    if (typeof value === "number") return measured.test(key) ? 0 : value;
    if (Array.isArray(value)) return value.map((item) => stable(item));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [stableText(name), stable(item, name)]),
    );
  };
  return events.map((event, index) => {
    moment = start + index * 100;
    return stable(event) as Record<string, unknown>;
  });
};

type StableEvent = Record<string, unknown>;

const stages = [
  "tool.execution_start",
  "permission.requested",
  "permission.completed",
  "tool.execution_complete",
];

/** Sub-agents report while their parent goes on: the root agent's events first, then each agent's, by the call that started it. */
const byAgent = (events: readonly StableEvent[]): StableEvent[][] => {
  const agents = new Map<unknown, { started: string; events: StableEvent[] }>();
  for (const event of events) {
    const agent = agents.get(event.agentId) ?? { started: "", events: [] };
    agents.set(event.agentId, agent);
    agent.events.push(event);
    if (event.type === "subagent.started")
      agent.started = String((event.data as { toolCallId?: unknown }).toolCallId);
  }
  return [...agents.values()].sort((a, b) => a.started.localeCompare(b.started)).map((agent) => agent.events);
};

/** Tools that run side by side report in any order: their events, grouped by call, are the same in every run. */
const byCall = (events: readonly StableEvent[]): StableEvent[] => {
  const keyOf = (event: StableEvent): string | undefined => {
    const stage = stages.indexOf(String(event.type));
    // A sub-agent's own set-up is concurrent too.
    if (/^subagent\.|^session\.model_change$/.test(String(event.type))) return String(event.type);
    if (stage < 0) return undefined;
    const data = event.data as { toolCallId?: string; permissionRequest?: { toolCallId?: string } };
    return `${data.toolCallId ?? data.permissionRequest?.toolCallId} ${stage}`;
  };
  const sorted: StableEvent[] = [];
  let run: { key: string; event: StableEvent }[] = [];
  const flush = (): void => {
    sorted.push(...run.sort((a, b) => a.key.localeCompare(b.key)).map(({ event }) => event));
    run = [];
  };
  for (const event of events) {
    const key = keyOf(event);
    if (key !== undefined) run.push({ key, event });
    else {
      flush();
      sorted.push(event);
    }
  }
  flush();
  return sorted;
};

/** Hooks report beside what they watch: all of them last, each start with its end. */
const hooksLast = (events: readonly StableEvent[]): StableEvent[] => {
  const hookOf = ({ data }: StableEvent): unknown =>
    (data as { hookInvocationId?: unknown }).hookInvocationId;
  const starts = events.filter(({ type }) => type === "hook.start");
  const hooks = starts.flatMap((start) =>
    events.filter((event) => String(event.type).startsWith("hook.") && hookOf(event) === hookOf(start)),
  );
  return [...events.filter((event) => !hooks.includes(event)), ...hooks];
};

/** What two runs of one script have in common, whatever their ids, times and the order of parallel work. */
export const comparable = (events: readonly object[], places: Places = {}): StableEvent[] => {
  const withoutChain = (event: StableEvent): StableEvent => {
    // A sub-agent's telemetry may be taken before it has finished counting.
    const { toolTelemetry: _, ...data } = event.data as Record<string, unknown>;
    const { id: _id, parentId: _parent, ...rest } = event;
    return { ...rest, data };
  };
  return normaliseEvents(
    byAgent(hooksLast(events as readonly StableEvent[]))
      .flatMap(byCall)
      .map(withoutChain),
    places,
  );
};
