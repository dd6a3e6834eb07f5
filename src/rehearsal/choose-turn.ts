/** Which turn answers a request: read from the conversation alone, so that nothing is remembered between requests. */
import { openingOf, toolResults, turnNumberOf } from "./conversation.ts";
import { withResults } from "./fill-in.ts";
import type { Script, Turn } from "./turn.ts";

export type ChosenTurn = {
  turn: Turn;
  /** Unique in the script, for example `2`, or `2_1_3` for the third turn of the agent that call 1 of turn 2 starts. */
  label: string;
};

type Part = { turns: readonly Turn[]; prefix: string };

const lastWord: Turn = { text: "The script has no more turns." };

const subAgents = ({ turns, prefix }: Part): (Part & { prompt: string })[] =>
  turns.flatMap((turn, turnIndex) =>
    (turn.toolCalls ?? []).flatMap((call, callIndex) => {
      const prompt = typeof call.arguments === "string" ? undefined : call.arguments.prompt;
      if (!call.turns || typeof prompt !== "string") return [];
      const part = { turns: call.turns, prefix: `${prefix}${turnIndex + 1}_${callIndex + 1}_`, prompt };
      return [part, ...subAgents(part)];
    }),
  );

const partsOf = ({ conversations = [] }: Script, whole: Part) => [
  ...conversations.map((conversation, index) => ({ ...conversation, prefix: `c${index + 1}_` })),
  ...subAgents(whole),
];

export const chooseTurn = (script: Script, messages: unknown): ChosenTurn => {
  const whole: Part = { turns: script.turns, prefix: "" };
  const opening = openingOf(messages);
  const part = partsOf(script, whole).find(({ prompt }) => opening.endsWith(prompt.trimEnd())) ?? whole;
  const number = turnNumberOf(messages);
  const turn = part.turns[number] ?? lastWord;
  return { turn: withResults(turn, toolResults(messages)), label: `${part.prefix}${number + 1}` };
};
