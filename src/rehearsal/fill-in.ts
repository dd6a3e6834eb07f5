/** What a script cannot know when it is written: the workspace's place, and ids that an earlier tool result told. */
import type { Turn } from "./turn.ts";

export const mapText = <T>(value: T, change: (text: string) => string): T => {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => mapText(item, change)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapText(item as unknown, change)]),
  ) as T;
};

/** `{{workspace}}` becomes the directory that the session works in. */
export const inWorkspace = <T>(value: T, workspace: string): T =>
  mapText(value, (text) => text.replaceAll("{{workspace}}", workspace));

/** `{{result /agent_id: (\S+)/}}` becomes what the group finds in the latest tool result that matches. */
const resultPattern = /\{\{result \/(.+?)\/\}\}/g;

export const withResults = (turn: Turn, results: readonly string[]): Turn => {
  const find = (text: string): string =>
    text.replace(resultPattern, (placeholder, source: string) => {
      const pattern = new RegExp(source);
      const match = results
        .toReversed()
        .map((result) => pattern.exec(result))
        .find((found) => found !== null);
      return match?.[1] ?? match?.[0] ?? placeholder;
    });
  if (!turn.toolCalls) return turn;
  return {
    ...turn,
    toolCalls: turn.toolCalls.map((call) => ({ ...call, arguments: mapText(call.arguments, find) })),
  };
};

/** The patterns in a value that are not regular expressions. */
export const brokenPatterns = (value: unknown): string[] => {
  const broken: string[] = [];
  mapText(value, (text) => {
    for (const [, source = ""] of text.matchAll(resultPattern))
      try {
        new RegExp(source);
      } catch {
        broken.push(source);
      }
    return text;
  });
  return broken;
};
