/** The model's side of a real run, as seen on the wire → a rehearsal that plays it again. */
import type { Redactor } from "../redact.ts";
import { openingOf, toolResults, turnNumberOf } from "./conversation.ts";
import { defined } from "./defined.ts";
import { mapText } from "./fill-in.ts";
import { readReply } from "./read-reply.ts";
import type { Rehearsal } from "./script.ts";
import type { ModelError, ToolCall, Turn } from "./turn.ts";

/** One model call. Without a status it was never answered. */
export type Exchange = {
  request: unknown;
  status?: number;
  retryAfter?: string;
  /** The decoded body, as far as it came. */
  body: string;
};

type Conversation = { opening: string; turns: Turn[] };

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const agentIdPattern = String.raw`{{result /agent_id: ([\w-]+)/}}`;

/** Agents have new ids in every run: an id that a tool result told is looked up there again. */
const withLookups = (turn: Turn, results: readonly string[]): Turn => {
  const told = new Set(
    results.flatMap((result) => [...result.matchAll(/agent_id: ([\w-]+)/g)].map(([, id]) => id)),
  );
  const lookUp = (text: string): string => text.replace(uuid, (id) => (told.has(id) ? agentIdPattern : id));
  if (!turn.toolCalls) return turn;
  return {
    ...turn,
    toolCalls: turn.toolCalls.map((call) => ({ ...call, arguments: mapText(call.arguments, lookUp) })),
  };
};

const errorOf = ({ status = 500, retryAfter, body }: Exchange): ModelError => {
  const { error } = parseObject(body) as { error?: { code?: unknown; message?: unknown } };
  const seconds = Number(retryAfter);
  return {
    status,
    ...(typeof error?.code === "string" && { code: error.code }),
    ...(typeof error?.message === "string" && { message: error.message }),
    ...(retryAfter !== undefined && Number.isInteger(seconds) && seconds >= 0 && { retryAfter: seconds }),
  };
};

const parseObject = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
};

/** What this attempt adds to what earlier attempts at the same turn did. */
const attempt = (before: Turn | undefined, exchange: Exchange, results: readonly string[]): Turn => {
  const { status } = exchange;
  if (status === undefined) return before ?? { hang: true };
  if (status >= 400) return { error: { ...errorOf(exchange), times: (before?.error?.times ?? 0) + 1 } };
  const { turn, complete } = readReply(exchange.body);
  if (!complete) return before ?? { ...turn, pieces: 4, cut: true };
  return { ...withLookups(turn, results), ...(before?.error && { error: before.error }) };
};

/** An error that no attempt got over lasts. */
const settled = (turn: Turn): Turn =>
  turn.error && Object.keys(turn).length === 1
    ? { error: defined<ModelError>({ ...turn.error, times: undefined }) }
    : turn;

const conversationsOf = (exchanges: readonly Exchange[]): Conversation[] => {
  const found = new Map<string, Conversation>();
  for (const exchange of exchanges) {
    const { messages } = exchange.request as { messages?: unknown };
    const opening = openingOf(messages);
    const conversation = found.get(opening) ?? { opening, turns: [] };
    found.set(opening, conversation);
    const number = turnNumberOf(messages);
    conversation.turns[number] = attempt(conversation.turns[number], exchange, toolResults(messages));
  }
  return [...found.values()].map(({ opening, turns }) => ({
    opening,
    turns: Array.from(turns, (turn: Turn | undefined) => settled(turn ?? {})),
  }));
};

const startsAgent = (call: ToolCall, { opening }: Conversation): boolean =>
  typeof call.arguments === "object" &&
  typeof call.arguments.prompt === "string" &&
  opening.endsWith(call.arguments.prompt.trimEnd());

/** Sub-agents' conversations move into the calls that started them. */
const withSubAgents = (turns: readonly Turn[], others: readonly Conversation[]): Turn[] =>
  turns.map((turn) => {
    if (!turn.toolCalls) return turn;
    const toolCalls = turn.toolCalls.map((call) => {
      const own = others.find((conversation) => startsAgent(call, conversation));
      if (!own) return call;
      const rest = others.filter((conversation) => conversation !== own);
      return { ...call, turns: withSubAgents(own.turns, rest) };
    });
    return { ...turn, toolCalls };
  });

export const recordRehearsal = (
  exchanges: readonly Exchange[],
  run: {
    prompt: string;
    workspace: string;
    redactor: Redactor;
    model?: string;
    permissions?: Rehearsal["permissions"];
  },
): Rehearsal => {
  const [root, ...others] = conversationsOf(exchanges);
  const { prompt, workspace, redactor, model, permissions } = run;
  const rehearsal: Rehearsal = {
    prompt,
    ...(model !== undefined && { model }),
    ...(permissions && { permissions }),
    files: {},
    mcpServers: {},
    turns: withSubAgents(root?.turns ?? [], others),
  };
  const movable = mapText(rehearsal, (text) => text.replaceAll(workspace, "{{workspace}}"));
  return JSON.parse(redactor.json(movable)) as Rehearsal;
};
