/** What the wire formats of models have in common. */
import type { ChosenTurn } from "./choose-turn.ts";
import type { ToolCall, Usage } from "./turn.ts";

export type Dialect = {
  /** The frames of a streamed answer, in order. */
  frames: (chosen: ChosenTurn, model: string) => string[];
  whole: (chosen: ChosenTurn, model: string) => object;
};

export const defaultUsage: Usage = { inputTokens: 100, outputTokens: 10 };

/** Cut between code points: half a surrogate pair would not survive the encoding. */
export const split = (text: string, pieces: number): string[] => {
  const points = [...text];
  const size = Math.max(1, Math.ceil(points.length / pieces));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, piece) =>
    points.slice(piece * size, (piece + 1) * size).join(""),
  );
};

export const argumentsText = (call: ToolCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

export const callId = (label: string, index: number): string => `call_${label}_${index + 1}`;
