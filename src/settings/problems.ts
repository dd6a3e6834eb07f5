import { Failure } from "../errors.ts";
import { findJsonMistake } from "./json-mistake.ts";

/** Collects every mistake in the settings, so that all of them are told at once. */
export type Problems = {
  add: (problem: string) => void;
  /** What the check throws is a problem beside the others. */
  check: (check: () => void) => void;
  /** A single failure of a check keeps its own kind and advice. */
  throwIfAny: () => void;
};

export const collectProblems = (): Problems => {
  const found: (string | Failure)[] = [];
  return {
    add: (problem) => void found.push(problem),
    check: (check) => {
      try {
        check();
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        found.push(error);
      }
    },
    throwIfAny: () => {
      const [first] = found;
      if (found.length === 1 && first instanceof Failure) throw first;
      const texts = found.map((problem) =>
        problem instanceof Failure ? problem.message.replace(/\.$/, "") : problem,
      );
      if (texts.length > 0) throw new Failure("configuration", texts.join("; "));
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
  } catch {
    const { line, column } = findJsonMistake(text);
    problems.add(`${source} is not valid JSON (line ${line}, column ${column})`);
    return undefined;
  }
};
