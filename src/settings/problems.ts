import { Failure } from "../errors.ts";

/** Collects every mistake in the settings, so that all of them are told at once. */
export type Problems = { add: (problem: string) => void; throwIfAny: () => void };

export const collectProblems = (): Problems => {
  const found: string[] = [];
  return {
    add: (problem) => void found.push(problem),
    throwIfAny: () => {
      if (found.length > 0) throw new Failure("configuration", found.join("; "));
    },
  };
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value; set but blank counts as not set, because that is how Actions passes an absent one. */
export const valueOf = (environment: Environment, name: string): string | undefined =>
  environment[name]?.trim() || undefined;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** Parsed JSON, or a problem that names where it came from and never repeats the text, which may hold a secret. */
export const parseJson = (text: string, source: string, problems: Problems): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = /position (\d+)/.exec(String(error))?.[1];
    problems.add(`${source} is not valid JSON${where ? ` (at character ${where})` : ""}`);
    return undefined;
  }
};
