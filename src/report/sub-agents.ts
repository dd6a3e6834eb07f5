/** Sub-agents: who started whom, for how long, and how it ended. */
import { oneLine } from "./cut.ts";
import type { Agent, Entry, EntryOutcome } from "./model.ts";
import { numberOf, textOf, type Fields, type LogEvent } from "./reading.ts";
import type { Handlers, Story } from "./story.ts";
import { jsonText, section } from "./tool-sections.ts";

export const watchSubAgents = (
  story: Story,
  agentOfCall: (callId: string) => number | undefined,
): { handlers: Handlers } => {
  const { agents, offsetOf, agentById, addAgent, add } = story;
  const entryByAgent = new Map<number, Entry>();

  const start = (event: LogEvent, data: Fields): void => {
    const callId = textOf(data.toolCallId);
    const ids = [event.agentId, callId].filter((id) => id !== undefined);
    const spawner = agentById(textOf(data.parentId) ?? "") ?? agentOfCall(callId ?? "") ?? 0;
    const known = agentById(ids[0] ?? "");
    // A log that makes an agent its own ancestor must not nest for ever.
    const parent = spawner === known ? 0 : spawner;
    const name = oneLine(textOf(data.agentDisplayName) ?? textOf(data.agentName) ?? "sub-agent", 120);
    const depth = (agents[parent]?.depth ?? 0) + 1;
    const agent: Agent = {
      name,
      parent,
      depth,
      at: offsetOf(event),
      task: oneLine(textOf(data.agentDescription) ?? "", 300),
    };
    const index = addAgent(ids, agent);
    entryByAgent.set(
      index,
      add(event, { kind: "agent", name, title: agent.task, agent: index, outcome: "unfinished" }),
    );
  };

  const end = (event: LogEvent, data: Fields, outcome: EntryOutcome): void => {
    const index = agentById(event.agentId ?? "") ?? agentById(textOf(data.toolCallId) ?? "");
    const agent = index === undefined ? undefined : agents[index];
    // At shutdown the runtime also "cancels" sub-agents that had completed: the first end counts.
    if (index === undefined || !agent || agent.outcome !== undefined) return;
    agent.ms = numberOf(data.durationMs) ?? Math.max(0, offsetOf(event) - agent.at);
    agent.outcome = outcome;
    const entry = entryByAgent.get(index);
    if (!entry) return;
    Object.assign(entry, { ms: agent.ms, outcome, sections: [section("Details", "json", jsonText(data))] });
  };

  return {
    handlers: {
      "subagent.started": start,
      "subagent.completed": (event, data) => end(event, data, data.cancelled === true ? "unfinished" : "ok"),
      "subagent.failed": (event, data) => end(event, data, "failed"),
    },
  };
};
