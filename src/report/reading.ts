/** Loose readers: the log and the result come from other programs, so a field may be missing or of any type. */

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : {};

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export type LogEvent = {
  type: string;
  data: Fields;
  /** Milliseconds since 1970, when the line has a readable timestamp. */
  time: number | undefined;
  agentId: string | undefined;
  line: number;
};

export type Unreadable = { line: number; why: string };

export const readEvent = (text: string, line: number): LogEvent | Unreadable => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, why: "not JSON (torn or damaged)" };
  }
  const fields = fieldsOf(value);
  const type = textOf(fields.type);
  if (type === undefined) return { line, why: "no event type" };
  const time = Date.parse(textOf(fields.timestamp) ?? "");
  return {
    type,
    data: fieldsOf(fields.data),
    time: Number.isNaN(time) ? undefined : time,
    agentId: textOf(fields.agentId),
    line,
  };
};
