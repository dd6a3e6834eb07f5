/** A turn in the dialect of Anthropic's Messages API. */
import { argumentsText, callId, defaultUsage, split, type Dialect } from "./dialect.ts";
import type { ChosenTurn } from "./choose-turn.ts";
import type { Turn, Usage } from "./turn.ts";

/** A content block: as it opens, what follows in pieces, and what it is in the end. */
type Block = { opening: object; deltas: object[]; whole: object };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const blocksOf = ({ turn, label }: ChosenTurn): Block[] => {
  const { reasoning, text, toolCalls = [], pieces = 1 } = turn;
  const blocks: Block[] = [];
  if (reasoning)
    blocks.push({
      opening: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...split(reasoning, pieces).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: "c2NyaXB0ZWQ=" },
      ],
      whole: { type: "thinking", thinking: reasoning, signature: "c2NyaXB0ZWQ=" },
    });
  if (text)
    blocks.push({
      opening: { type: "text", text: "" },
      deltas: split(text, pieces).map((piece) => ({ type: "text_delta", text: piece })),
      whole: { type: "text", text },
    });
  for (const [index, call] of toolCalls.entries()) {
    const use = { type: "tool_use", id: callId(label, index), name: call.name };
    const input = argumentsText(call);
    blocks.push({
      opening: { ...use, input: {} },
      deltas: split(input, pieces).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      whole: { ...use, input: parsed(input) },
    });
  }
  return blocks;
};

const stopReasonOf = (turn: Turn): string =>
  turn.finishReason ?? (turn.toolCalls?.length ? "tool_use" : "end_turn");

/** Anthropic counts cached input apart from the rest. */
const usageOf = ({ inputTokens, outputTokens, cachedTokens = 0 }: Usage) => ({
  input_tokens: inputTokens - cachedTokens,
  cache_read_input_tokens: cachedTokens,
  cache_creation_input_tokens: 0,
  output_tokens: outputTokens,
});

const messageOf = ({ turn, label }: ChosenTurn, model: string) => ({
  id: `msg_${label}`,
  type: "message",
  role: "assistant",
  model,
  content: [] as object[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: usageOf(turn.usage ?? defaultUsage),
});

export const anthropicMessages: Dialect = {
  frames: (chosen, model) => {
    const message = messageOf(chosen, model);
    const events = [
      { type: "message_start", message },
      ...blocksOf(chosen).flatMap(({ opening, deltas }, index) => [
        { type: "content_block_start", index, content_block: opening },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      {
        type: "message_delta",
        delta: { stop_reason: stopReasonOf(chosen.turn), stop_sequence: null },
        usage: { output_tokens: message.usage.output_tokens },
      },
      { type: "message_stop" },
    ];
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  },

  whole: (chosen, model) => ({
    ...messageOf(chosen, model),
    content: blocksOf(chosen).map((block) => block.whole),
    stop_reason: stopReasonOf(chosen.turn),
  }),
};
