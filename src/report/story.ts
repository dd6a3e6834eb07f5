/** What is known while the log is being read: the clock, the agents, and the entries so far. */
import { oneLine } from "./cut.ts";
import type { Agent, Entry, ModelCall, Turn } from "./model.ts";
import { textOf, type Fields, type LogEvent } from "./reading.ts";

/** What the log itself says about the run as a whole. */
export type LogFacts = {
  prompt: string;
  answer: string;
  /** The last word of the root agent asked for no further tool. */
  answered: boolean;
  aborted: boolean;
  error?: { message: string; kind: string | undefined };
  sessionId?: string | undefined;
  model?: string | undefined;
  runtimeVersion?: string | undefined;
  workspace?: string | undefined;
  shutdown?: Fields;
};

export type OpenTurn = { turn: Turn; model: Entry | undefined; asked: number };

export type NewEntry = Pick<Entry, "kind" | "name" | "title"> & Partial<Entry>;

export type Story = {
  entries: Entry[];
  agents: Agent[];
  turns: Turn[];
  calls: ModelCall[];
  openTurns: Map<number, OpenTurn>;
  facts: LogFacts;
  /** Milliseconds from the first event to this one. */
  offsetOf: (event: LogEvent) => number;
  startedAt: () => number | undefined;
  latest: () => number;
  agentOf: (event: LogEvent) => number;
  agentById: (id: string) => number | undefined;
  addAgent: (ids: readonly string[], agent: Agent) => number;
  add: (event: LogEvent, entry: NewEntry) => Entry;
};

export type Handlers = Record<string, (event: LogEvent, data: Fields) => void>;

const longestName = 120;

export const createStory = (): Story => {
  const entries: Entry[] = [];
  const agents: Agent[] = [{ name: "agent", depth: 0, at: 0, task: "" }];
  const indexById = new Map<string, number>();
  const openTurns = new Map<number, OpenTurn>();
  let first: number | undefined;
  let latest = 0;

  /** A missing or backward time counts as the start or as "now": nothing lasts less than nothing. */
  const offsetOf = ({ time }: LogEvent): number => {
    if (time === undefined) return latest;
    first ??= time;
    latest = Math.max(latest, time - first);
    return Math.max(0, time - first);
  };

  const addAgent = (ids: readonly string[], agent: Agent): number => {
    const known = ids.map((id) => indexById.get(id)).find((index) => index !== undefined);
    const index = known ?? agents.length;
    agents[index] = agent;
    for (const id of ids) if (!indexById.has(id)) indexById.set(id, index);
    return index;
  };

  const agentOf = (event: LogEvent): number => {
    const id = event.agentId ?? textOf(event.data.parentToolCallId);
    if (id === undefined) return 0;
    const unseen: Agent = { name: id.slice(0, 8), parent: 0, depth: 1, at: offsetOf(event), task: "" };
    return indexById.get(id) ?? addAgent([id], unseen);
  };

  const add = (event: LogEvent, entry: NewEntry): Entry => {
    const agent = entry.agent ?? agentOf(event);
    const turn = openTurns.get(agent)?.turn.number;
    const added: Entry = {
      at: offsetOf(event),
      agent,
      depth: agents[agent]?.depth ?? 0,
      line: event.line,
      sections: [],
      ...(turn !== undefined && { turn }),
      ...entry,
      name: oneLine(entry.name, longestName),
    };
    entries.push(added);
    return added;
  };

  return {
    entries,
    agents,
    turns: [],
    calls: [],
    openTurns,
    facts: { prompt: "", answer: "", answered: false, aborted: false },
    offsetOf,
    startedAt: () => first,
    latest: () => latest,
    agentOf,
    agentById: (id) => indexById.get(id),
    addAgent,
    add,
  };
};
