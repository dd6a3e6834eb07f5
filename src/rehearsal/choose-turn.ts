/** Which turn answers a request: read from the conversation alone, so that nothing is remembered between requests. */
import { withResults } from "./fill-in.ts";
import type { Script, Turn } from "./turn.ts";

type Message = { role?: unknown; content?: unknown };

export type ChosenTurn = {
  turn: Turn;
  /** Unique in the script, for example `2`, or `2_1_3` for the third turn of the agent that call 1 of turn 2 starts. */
  label: string;
};

type Part = { turns: readonly Turn[]; prefix: string };

const lastWord: Turn = { text: "The script has no more turns." };

const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: { text?: string } | null) => block?.text ?? "").join("");
};

/** Chat completions give results as messages of the tool, Anthropic's as blocks of the user's message. */
const toolResults = (conversation: readonly (Message | null)[]): string[] =>
  conversation.flatMap((message) => {
    if (message?.role === "tool") return [textOf(message.content)];
    if (message?.role !== "user" || !Array.isArray(message.content)) return [];
    const blocks = message.content as ({ type?: unknown; content?: unknown } | null)[];
    return blocks.filter((block) => block?.type === "tool_result").map((block) => textOf(block?.content));
  });

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
  const conversation = (Array.isArray(messages) ? messages : []) as (Message | null)[];
  const whole: Part = { turns: script.turns, prefix: "" };
  const opening = textOf(conversation.find((message) => message?.role === "user")?.content).trimEnd();
  // The runtime puts the time in front of a prompt, never anything behind it.
  const part = partsOf(script, whole).find(({ prompt }) => opening.endsWith(prompt.trimEnd())) ?? whole;
  const number = conversation.filter((message) => message?.role === "assistant").length;
  const turn = part.turns[number] ?? lastWord;
  return { turn: withResults(turn, toolResults(conversation)), label: `${part.prefix}${number + 1}` };
};
