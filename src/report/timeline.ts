/** Event log and result → what a report shows. Takes one line at a time, so that memory holds only what is shown. */
import type { Policy } from "../policy/rules.ts";
import { concludeRun } from "./conclusion.ts";
import { joinDenials } from "./denials.ts";
import type { Entry, Run, ToolTotals } from "./model.ts";
import { tokensOfResult, watchModelCalls } from "./model-calls.ts";
import { fieldsOf, listOf, readEvent, textOf, type Unreadable } from "./reading.ts";
import { watchSession } from "./session-events.ts";
import { createStory, type Handlers } from "./story.ts";
import { watchSubAgents } from "./sub-agents.ts";
import { watchToolCalls } from "./tool-calls.ts";

export type TimelineBuilder = {
  addLine: (line: string) => void;
  finish: (result?: unknown) => Run;
};

const unreadableShown = 20;

const toolTotals = (entries: readonly Entry[]): ToolTotals[] => {
  const totals = new Map<string, ToolTotals>();
  for (const { kind, name, outcome, ms } of entries) {
    if (kind !== "tool") continue;
    const total = totals.get(name) ?? { name, calls: 0, failed: 0, denied: 0, unfinished: 0, ms: 0 };
    total.calls += 1;
    total.ms += ms ?? 0;
    if (outcome === "failed" || outcome === "exit") total.failed += 1;
    if (outcome === "denied") total.denied += 1;
    if (outcome === "unfinished") total.unfinished += 1;
    totals.set(name, total);
  }
  return [...totals.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
};

const modelTotals = (entries: readonly Entry[]): Run["asked"] => {
  const calls = entries.filter(({ kind }) => kind === "model");
  return { times: calls.length, ms: calls.reduce((sum, { ms = 0 }) => sum + ms, 0) };
};

const lasting = new Set<Entry["kind"]>(["model", "tool", "agent"]);

/** What had not ended when the run did lasted until then. */
const endWithRun = (entries: readonly Entry[], end: number): void => {
  for (const entry of entries)
    if (entry.outcome === "unfinished" && lasting.has(entry.kind)) entry.ms ??= Math.max(0, end - entry.at);
};

const allowListOf = (policy: Policy | undefined, result: unknown): readonly string[] | undefined => {
  if (policy?.mode === "scoped") return policy.rules.map(({ text }) => text);
  const { allowedTools } = fieldsOf(result);
  return Array.isArray(allowedTools) ? allowedTools.filter((entry) => typeof entry === "string") : undefined;
};

/** With a policy, denials are explained by it; else by what was recorded. */
export const startTimeline = (name: string, options: { policy?: Policy } = {}): TimelineBuilder => {
  const story = createStory();
  const modelCalls = watchModelCalls(story);
  const toolCalls = watchToolCalls(story);
  const session = watchSession(story);
  const handlers = new Map(
    Object.entries<Handlers[string]>({
      ...modelCalls.handlers,
      ...toolCalls.handlers,
      ...watchSubAgents(story, toolCalls.agentOfCall).handlers,
      ...session.handlers,
    }),
  );
  const unreadable: Unreadable[] = [];
  let line = 0;
  let events = 0;
  let unreadableCount = 0;

  const addLine = (text: string): void => {
    line += 1;
    if (text.trim() === "") return;
    const event = readEvent(text, line);
    if ("why" in event) {
      unreadableCount += 1;
      if (unreadable.length < unreadableShown) unreadable.push(event);
      return;
    }
    events += 1;
    (handlers.get(event.type) ?? session.other)(event, event.data);
  };

  /** Logs of other drivers have no usage per model call (those events are ephemeral): the result may. */
  const addUsageOf = (result: unknown): void => {
    for (const item of listOf(fieldsOf(fieldsOf(result).usage).calls)) {
      const call = fieldsOf(item);
      const time = Date.parse(textOf(call.timestamp) ?? "");
      const at = Math.max(0, (Number.isNaN(time) ? 0 : time) - (story.startedAt() ?? 0));
      modelCalls.addUsage(
        { at, agent: story.agentById(textOf(call.agentId) ?? "") ?? 0 },
        call,
        tokensOfResult(call),
      );
    }
  };

  const finish = (result?: unknown): Run => {
    const { entries, agents, turns, calls, facts } = story;
    toolCalls.finish();
    if (calls.length === 0) addUsageOf(result);
    const startedAt = story.startedAt();
    const allowList = allowListOf(options.policy, result);
    const conclusion = concludeRun(facts, result, { calls, latest: story.latest() });
    endWithRun(entries, Math.max(conclusion.durationMs, story.latest()));
    return {
      name,
      ...conclusion,
      ...(startedAt !== undefined && { startedAt: new Date(startedAt).toISOString() }),
      calls,
      turns,
      agents,
      entries,
      ...(allowList && { allowList }),
      denials: joinDenials(toolCalls.denials, result, {
        workspace: facts.workspace,
        policy: options.policy,
        given: allowList ?? [],
      }),
      tools: toolTotals(entries),
      asked: modelTotals(entries),
      log: { events, unreadable, unreadableCount },
    };
  };

  return { addLine, finish };
};
