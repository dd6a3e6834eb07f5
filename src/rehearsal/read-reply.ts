/** A model's answer on the wire, in either dialect, streamed or whole → the turn that would play it. */
import type { ToolCall, Turn } from "./turn.ts";

export type Reply = {
  turn: Turn;
  /** Whether the answer was seen to its end. */
  complete: boolean;
};

type CalledFunction = { name: string; arguments: string };
type Draft = {
  text: string;
  reasoning: string;
  calls: Map<number, CalledFunction>;
  usage?: NonNullable<Turn["usage"]>;
  finish: string;
};

type CompletionPart = {
  content?: unknown;
  reasoning_text?: unknown;
  reasoning_content?: unknown;
  tool_calls?: { index?: unknown; function?: { name?: unknown; arguments?: unknown } }[];
};
type Completion = {
  choices: { delta?: CompletionPart; message?: CompletionPart; finish_reason?: unknown }[];
  usage?: {
    prompt_tokens?: unknown;
    completion_tokens?: unknown;
    prompt_tokens_details?: { cached_tokens?: unknown };
  };
};

type AnthropicUsage = { input_tokens?: unknown; output_tokens?: unknown; cache_read_input_tokens?: unknown };
type AnthropicBlock = { type?: unknown; text?: unknown; thinking?: unknown; name?: unknown; input?: object };
type AnthropicEvent = {
  index?: unknown;
  content?: AnthropicBlock[];
  content_block?: AnthropicBlock;
  delta?: { text?: unknown; thinking?: unknown; partial_json?: unknown; stop_reason?: unknown };
  stop_reason?: unknown;
  message?: { usage?: AnthropicUsage };
  usage?: AnthropicUsage;
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const countOf = (value: unknown): number => (typeof value === "number" ? value : 0);

const parse = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
};

const callAt = (draft: Draft, index: number): CalledFunction => {
  const call = draft.calls.get(index) ?? { name: "", arguments: "" };
  draft.calls.set(index, call);
  return call;
};

/** A chunk of a chat completion, or a whole one: `delta` and `message` have the same fields. */
const addCompletion = (draft: Draft, { choices, usage }: Completion): void => {
  for (const { delta, message, finish_reason } of choices) {
    const part = delta ?? message ?? {};
    draft.text += textOf(part.content);
    draft.reasoning += textOf(part.reasoning_text ?? part.reasoning_content);
    for (const [position, { index, function: called }] of (part.tool_calls ?? []).entries()) {
      const call = callAt(draft, typeof index === "number" ? index : position);
      call.name += textOf(called?.name);
      call.arguments += textOf(called?.arguments);
    }
    draft.finish = textOf(finish_reason) || draft.finish;
  }
  if (usage)
    draft.usage = {
      inputTokens: countOf(usage.prompt_tokens),
      outputTokens: countOf(usage.completion_tokens),
      cachedTokens: countOf(usage.prompt_tokens_details?.cached_tokens),
    };
};

const addBlock = (draft: Draft, block: AnthropicBlock, index: number): void => {
  draft.text += textOf(block.text);
  draft.reasoning += textOf(block.thinking);
  if (block.type !== "tool_use") return;
  const given = Object.keys(block.input ?? {}).length > 0 ? JSON.stringify(block.input) : "";
  draft.calls.set(index, { name: textOf(block.name), arguments: given });
};

/** Input is counted at the start of a stream, output at its end. */
const addAnthropicUsage = (draft: Draft, usage: AnthropicUsage): void => {
  const cachedTokens = countOf(usage.cache_read_input_tokens);
  const input =
    usage.input_tokens === undefined
      ? { inputTokens: 0, cachedTokens: 0, ...draft.usage }
      : { inputTokens: countOf(usage.input_tokens) + cachedTokens, cachedTokens };
  draft.usage = { ...input, outputTokens: countOf(usage.output_tokens) };
};

const addAnthropic = (draft: Draft, event: AnthropicEvent): void => {
  const { delta } = event;
  const index = countOf(event.index);
  const blocks = event.content ?? [];
  for (const [position, block] of blocks.entries()) addBlock(draft, block, position);
  if (event.content_block) addBlock(draft, event.content_block, index);
  draft.text += textOf(delta?.text);
  draft.reasoning += textOf(delta?.thinking);
  if (typeof delta?.partial_json === "string") callAt(draft, index).arguments += delta.partial_json;
  draft.finish = textOf(delta?.stop_reason ?? event.stop_reason) || draft.finish;
  const usage = event.message?.usage ?? event.usage;
  if (usage) addAnthropicUsage(draft, usage);
};

const usual = new Set(["stop", "tool_calls", "end_turn", "tool_use"]);

const toCall = (call: CalledFunction): ToolCall => {
  const args = parse(call.arguments || "{}");
  return {
    name: call.name,
    arguments: args && !Array.isArray(args) ? (args as Record<string, unknown>) : call.arguments,
  };
};

const toTurn = ({ text, reasoning, calls, usage, finish }: Draft): Turn => ({
  ...(text && { text }),
  ...(reasoning && { reasoning }),
  ...(calls.size > 0 && { toolCalls: [...calls.values()].map(toCall) }),
  ...(usage && { usage }),
  ...(finish && !usual.has(finish) && { finishReason: finish }),
});

/** Server-sent events carry their data in `data:` lines; a whole answer is its own only datum. */
const dataOf = (body: string): object[] => {
  const whole = parse(body);
  if (whole) return [whole];
  const lines = body.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return lines.map((line) => parse(line.slice(5))).filter((data) => data !== undefined);
};

export const readReply = (body: string): Reply => {
  const draft: Draft = { text: "", reasoning: "", calls: new Map(), finish: "" };
  for (const data of dataOf(body))
    if ("choices" in data) addCompletion(draft, data as Completion);
    else addAnthropic(draft, data);
  return { turn: toTurn(draft), complete: draft.finish !== "" };
};
