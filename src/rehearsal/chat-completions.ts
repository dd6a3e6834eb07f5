/** A turn in the chat-completions dialect: as a stream of chunks or as one answer. */
import type { ToolCall, Turn, Usage } from "./turn.ts";

const defaultUsage: Usage = { inputTokens: 100, outputTokens: 10 };

/** Cut between code points: half a surrogate pair would not survive the encoding. */
const split = (text: string, pieces: number): string[] => {
  const points = [...text];
  const size = Math.max(1, Math.ceil(points.length / pieces));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, piece) =>
    points.slice(piece * size, (piece + 1) * size).join(""),
  );
};

const argumentsText = (call: ToolCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

const callId = (call: ToolCall, turnNumber: number, index: number): string =>
  call.id ?? `call_${turnNumber + 1}_${index + 1}`;

const usageOf = ({ inputTokens, outputTokens, cachedTokens = 0 }: Usage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
});

const finishReasonOf = (turn: Turn): string =>
  turn.finishReason ?? (turn.toolCalls?.length ? "tool_calls" : "stop");

const deltasOf = (turn: Turn, turnNumber: number): Record<string, unknown>[] => {
  const pieces = turn.pieces ?? 1;
  const calls = (turn.toolCalls ?? []).flatMap((call, index) => {
    const [first = "", ...rest] = split(argumentsText(call), pieces);
    const { name } = call;
    const opening = {
      index,
      id: callId(call, turnNumber, index),
      type: "function",
      function: { name, arguments: first },
    };
    return [opening, ...rest.map((piece) => ({ index, function: { arguments: piece } }))];
  });
  return [
    ...split(turn.reasoning ?? "", pieces).map((piece) => ({ reasoning_text: piece })),
    ...split(turn.text ?? "", pieces).map((piece) => ({ content: piece })),
    ...calls.map((call) => ({ tool_calls: [call] })),
  ];
};

type Frame = { id: string; model: string; created: number };

const frameOf = (model: string, turnNumber: number): Frame => ({
  id: `chatcmpl-${turnNumber + 1}`,
  model,
  created: Math.floor(Date.now() / 1000),
});

/** The chunks of a streamed answer: one per piece, one with the reason to stop, one with the usage. */
export const chunksOf = (turn: Turn, turnNumber: number, model: string): object[] => {
  const chunk = { ...frameOf(model, turnNumber), object: "chat.completion.chunk" };
  const choice = (delta: object, finish_reason: string | null = null) => ({
    ...chunk,
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    choice({ role: "assistant", content: "" }),
    ...deltasOf(turn, turnNumber).map((delta) => choice(delta)),
    choice({}, finishReasonOf(turn)),
    { ...chunk, choices: [], usage: usageOf(turn.usage ?? defaultUsage) },
  ];
};

export const completionOf = (turn: Turn, turnNumber: number, model: string): object => ({
  ...frameOf(model, turnNumber),
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
            id: callId(call, turnNumber, index),
            type: "function",
            function: { name: call.name, arguments: argumentsText(call) },
          })),
        }),
      },
    },
  ],
  usage: usageOf(turn.usage ?? defaultUsage),
});
