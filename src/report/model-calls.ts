/** Turns and model calls. A call lasts from the start of its turn, or from the message before it, to its message. */
import { oneLine } from "./cut.ts";
import type { Entry, Tokens } from "./model.ts";
import { fieldsOf, listOf, numberOf, textOf, type Fields } from "./reading.ts";
import type { Handlers, Story } from "./story.ts";
import { textSection } from "./tool-sections.ts";

const nanoUnits = 1e9;

export type UsageSink = (where: { at: number; agent: number }, call: Fields, tokens: Tokens) => void;

const tokenCounts = (data: Fields) => ({
  input: numberOf(data.inputTokens) ?? 0,
  output: numberOf(data.outputTokens) ?? 0,
  cached: numberOf(data.cacheReadTokens) ?? 0,
});

/** The runtime's event calls the premium multiplier "cost". */
const tokensOfEvent = (data: Fields): Tokens => ({
  ...tokenCounts(data),
  premium: numberOf(data.cost) ?? 0,
  cost: (numberOf(fieldsOf(data.copilotUsage).totalNanoAiu) ?? 0) / nanoUnits,
});

/** The driver's result names things as its totals do. */
export const tokensOfResult = (data: Fields): Tokens => ({
  ...tokenCounts(data),
  premium: numberOf(data.premiumRequests) ?? 0,
  cost: numberOf(data.cost) ?? 0,
});

/** For one line in a list: what Markdown adds to the words is noise there. */
const withoutMarkup = (text: string): string => text.slice(0, 2000).replace(/\*\*|__|`|^#+ /gm, "");

/** `edit ×3, bash`. */
const tallied = (names: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, times]) => (times > 1 ? `${name} ×${times}` : name)).join(", ");
};

export const watchModelCalls = (story: Story): { handlers: Handlers; addUsage: UsageSink } => {
  const { facts, openTurns, turns, calls, offsetOf, agentOf, add } = story;
  const entryByCallId = new Map<string, Entry>();

  const addUsage: UsageSink = (where, call, tokens) => {
    calls.push({ ...where, model: textOf(call.model) ?? "model", ...tokens });
    const entry = entryByCallId.get(textOf(call.apiCallId) ?? "") ?? openTurns.get(where.agent)?.model;
    if (entry) entry.tokens = tokens;
  };

  const handlers: Handlers = {
    "user.message": (event, data) => {
      const agent = agentOf(event);
      const text = textOf(data.content) ?? "";
      const task = story.agents[agent];
      if (agent === 0) facts.prompt ||= text;
      else if (task) task.task ||= oneLine(text, 300);
      const name = agent === 0 ? "prompt" : "task";
      const title = oneLine(text, 240);
      add(event, { kind: "prompt", name, title, sections: textSection("Prompt", "markdown", text) });
    },
    "assistant.turn_start": (event, data) => {
      const agent = agentOf(event);
      const at = offsetOf(event);
      const turn = { agent, number: textOf(data.turnId) ?? String(turns.length), at };
      turns.push(turn);
      const open = { turn, model: undefined as Entry | undefined, asked: at };
      openTurns.set(agent, open);
      const name = textOf(data.model) ?? "model";
      open.model = add(event, { kind: "model", name, title: "", outcome: "unfinished" });
    },
    "assistant.message": (event, data) => {
      const agent = agentOf(event);
      const at = offsetOf(event);
      const open = openTurns.get(agent);
      const entry =
        open?.model ?? add(event, { kind: "model", name: "model", title: "", at: open?.asked ?? at });
      const text = textOf(data.content) ?? "";
      const requested = listOf(data.toolRequests).map((item) => textOf(fieldsOf(item).name) ?? "tool");
      entry.name = oneLine(textOf(data.model) ?? entry.name, 120);
      entry.ms = Math.max(0, at - entry.at);
      entry.outcome = "ok";
      entry.title = oneLine(
        withoutMarkup(text) || (requested.length > 0 ? `calls ${tallied(requested)}` : ""),
        240,
      );
      entry.sections = [
        ...textSection("Reasoning", "text", textOf(data.reasoningText)),
        ...textSection("Text", "markdown", text),
        ...textSection("Tools requested", "text", requested.join("\n")),
      ];
      const output = numberOf(data.outputTokens);
      if (output !== undefined) entry.tokens ??= { input: 0, output, cached: 0, premium: 0, cost: 0 };
      const callId = textOf(data.apiCallId);
      if (callId !== undefined) entryByCallId.set(callId, entry);
      if (open) Object.assign(open, { model: undefined, asked: at });
      if (agent !== 0) return;
      if (text.trim()) facts.answer = text;
      facts.answered = requested.length === 0 && text.trim() !== "";
    },
    "assistant.turn_end": (event) => {
      const agent = agentOf(event);
      const open = openTurns.get(agent);
      if (!open) return;
      openTurns.delete(agent);
      const at = offsetOf(event);
      open.turn.ms = Math.max(0, at - open.turn.at);
      if (!open.model) return;
      open.model.ms = Math.max(0, at - open.model.at);
      open.model.outcome = "failed";
      open.model.title = "no answer from the model";
    },
    "assistant.usage": (event, data) => {
      addUsage({ at: offsetOf(event), agent: agentOf(event) }, data, tokensOfEvent(data));
    },
    "driver.model_used": (event, data) => {
      addUsage({ at: offsetOf(event), agent: agentOf(event) }, data, tokensOfResult(data));
    },
  };

  return { handlers, addUsage };
};
