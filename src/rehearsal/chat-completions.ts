/** A turn in the chat-completions dialect, which the Copilot API and OpenAI-compatible providers speak. */
import type { ChosenTurn } from "./choose-turn.ts";
import { argumentsText, callId, defaultUsage, split, type Dialect } from "./dialect.ts";
import type { Turn, Usage } from "./turn.ts";

const usageOf = ({ inputTokens, outputTokens, cachedTokens = 0 }: Usage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
});

const finishReasonOf = (turn: Turn): string =>
  turn.finishReason ?? (turn.toolCalls?.length ? "tool_calls" : "stop");

const callDeltas = ({ turn, label }: ChosenTurn) =>
  (turn.toolCalls ?? []).flatMap((call, index) => {
    const [first = "", ...rest] = split(argumentsText(call), turn.pieces ?? 1);
    const opening = {
      index,
      id: callId(label, index),
      type: "function",
      function: { name: call.name, arguments: first },
    };
    return [opening, ...rest.map((piece) => ({ index, function: { arguments: piece } }))];
  });

const deltasOf = (chosen: ChosenTurn): object[] => {
  const { reasoning = "", text = "", pieces = 1 } = chosen.turn;
  return [
    { role: "assistant", content: "" },
    ...split(reasoning, pieces).map((piece) => ({ reasoning_text: piece })),
    ...split(text, pieces).map((piece) => ({ content: piece })),
    ...callDeltas(chosen).map((call) => ({ tool_calls: [call] })),
  ];
};

const envelope = (label: string, model: string) => ({
  id: `chatcmpl-${label}`,
  model,
  created: Math.floor(Date.now() / 1000),
});

export const chatCompletions: Dialect = {
  frames: (chosen, model) => {
    const chunk = { ...envelope(chosen.label, model), object: "chat.completion.chunk" };
    const choice = (delta: object, finish_reason: string | null = null) => ({
      ...chunk,
      choices: [{ index: 0, delta, finish_reason }],
    });
    const chunks = [
      ...deltasOf(chosen).map((delta) => choice(delta)),
      choice({}, finishReasonOf(chosen.turn)),
      { ...chunk, choices: [], usage: usageOf(chosen.turn.usage ?? defaultUsage) },
    ];
    return [...chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), "data: [DONE]\n\n"];
  },

  whole: ({ turn, label }, model) => ({
    ...envelope(label, model),
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(turn),
        message: {
          role: "assistant",
          content: turn.text ?? null,
          ...(turn.reasoning && { reasoning_text: turn.reasoning }),
          ...(turn.toolCalls?.length && {
            tool_calls: turn.toolCalls.map((call, index) => ({
              id: callId(label, index),
              type: "function",
              function: { name: call.name, arguments: argumentsText(call) },
            })),
          }),
        },
      },
    ],
    usage: usageOf(turn.usage ?? defaultUsage),
  }),
};
