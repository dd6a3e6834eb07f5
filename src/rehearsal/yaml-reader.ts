/** Small readers that turn YAML nodes into typed values and note every mistake with its place. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from "yaml";
import { nearest } from "../nearest.ts";

export type Mistake = { line: number; column: number; message: string };

export type Reader<T> = (node: Node | null, place: Place) => T | undefined;

/** Where a reader is: how to name the value, where to complain, and what stands in for a missing node. */
export type Place = {
  name: string;
  offset: number;
  complain: (offset: number, message: string) => void;
};

const offsetOf = (node: Node | null, place: Place): number => node?.range?.[0] ?? place.offset;

const inside = (place: Place, name: string, node: Node | null): Place => ({
  ...place,
  name,
  offset: offsetOf(node, place),
});

const wrong = (node: Node | null, place: Place, expected: string): undefined =>
  place.complain(
    offsetOf(node, place),
    isAlias(node)
      ? `${place.name} must be written out: aliases are not supported.`
      : `${place.name} must be ${expected}.`,
  ) as undefined;

const scalar =
  <T>(expected: string, accept: (value: unknown) => T | undefined): Reader<T> =>
  (node, place) => {
    const value = isScalar(node) ? accept(node.value) : undefined;
    return value === undefined ? wrong(node, place, expected) : value;
  };

export const text: Reader<string> = scalar("text", (value) =>
  typeof value === "string" ? value : undefined,
);

export const flag: Reader<boolean> = scalar("true or false", (value) =>
  typeof value === "boolean" ? value : undefined,
);

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> =>
  scalar(
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`,
    (value) =>
      Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined,
  );

export const oneOf = <T extends string>(...words: readonly T[]): Reader<T> =>
  scalar(words.map((word) => `“${word}”`).join(" or "), (value) => words.find((word) => word === value));

const units = { ms: 1, s: 1000, m: 60_000 } as const;

/** A length of time with its unit, in milliseconds. */
export const duration: Reader<number> = scalar("a time such as 250ms, 2s or 1m", (value) => {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(String(value)) ?? [];
  return amount && unit ? Math.round(Number(amount) * units[unit as keyof typeof units]) : undefined;
});

export const listOf =
  <T>(item: Reader<T>, least = 0): Reader<T[]> =>
  (node, place) => {
    if (!isSeq(node) || node.items.length < least)
      return wrong(node, place, least > 0 ? "a list that is not empty" : "a list");
    return node.items.flatMap((entry, index) => {
      const value = item(entry as Node | null, inside(place, `Entry ${index + 1} of ${place.name}`, node));
      return value === undefined ? [] : [value];
    });
  };

const entriesOf = (node: Node | null, place: Place): [string, Node | null, Node | null][] | undefined => {
  if (!isMap(node)) return wrong(node, place, "a mapping of keys to values");
  return (node.items as Pair<Node | null, Node | null>[]).map(({ key, value }) => [
    isScalar(key) ? String(key.value) : "",
    key,
    value,
  ]);
};

export const recordOf =
  <T>(
    value: Reader<T>,
    checkKey: (key: string) => string | undefined = () => undefined,
  ): Reader<Record<string, T>> =>
  (node, place) => {
    const entries = entriesOf(node, place)?.flatMap(([key, keyNode, valueNode]) => {
      const objection = checkKey(key);
      if (objection) place.complain(offsetOf(keyNode, place), objection);
      const read = value(valueNode, inside(place, `“${key}”`, keyNode));
      return read === undefined ? [] : [[key, read] as const];
    });
    return entries && Object.fromEntries(entries);
  };

/** The keys of the mapping that a key of a mapping leads to. */
export const keysAt = (node: Node | null, key: string): string[] => {
  const value: unknown = isMap(node) ? node.get(key) : undefined;
  return isMap(value) ? value.items.map(({ key: own }) => String(isScalar(own) ? own.value : own)) : [];
};

/** Any JSON value. */
export const anything: Reader<unknown> = (node, place) => {
  if (isMap(node)) return recordOf(anything)(node, place);
  if (isSeq(node)) return listOf(anything)(node, place);
  if (isScalar(node)) return node.value;
  return isAlias(node) ? wrong(node, place, "a value") : null;
};

type Shape = Record<string, Reader<unknown>>;
type Value<R> = R extends Reader<infer T> ? T : never;
type Values<S extends Shape, N extends keyof S> = { [K in Exclude<keyof S, N>]?: Value<S[K]> } & {
  [K in N]: Value<S[K]>;
};

/** A mapping with known keys only, some of which must be there. */
export const object =
  <S extends Shape, N extends keyof S & string = never>(shape: S, ...needed: N[]): Reader<Values<S, N>> =>
  (node, place) => {
    const entries = entriesOf(node, place);
    if (!entries) return undefined;
    const known = Object.keys(shape);
    const values = new Map<string, unknown>();
    for (const [key, keyNode, valueNode] of entries) {
      const reader = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (reader) values.set(key, reader(valueNode, inside(place, `“${key}”`, keyNode)));
      else {
        const meant = nearest(key, known);
        const hint = meant ? `did you mean “${meant}”?` : `known are ${known.join(", ")}.`;
        place.complain(offsetOf(keyNode, place), `${place.name} has no key “${key}”: ${hint}`);
      }
    }
    const missing = needed.filter((key) => !values.has(key));
    for (const key of missing) place.complain(offsetOf(node, place), `${place.name} needs “${key}”.`);
    if (needed.some((key) => values.get(key) === undefined)) return undefined;
    return Object.fromEntries([...values].filter(([, value]) => value !== undefined)) as Values<S, N>;
  };

/** What `check` objects to, if anything, is a mistake of the whole value. */
export const checked =
  <T>(reader: Reader<T>, check: (value: T) => string | undefined): Reader<T> =>
  (node, place) => {
    const value = reader(node, place);
    const objection = value === undefined ? undefined : check(value);
    if (objection) place.complain(offsetOf(node, place), `${place.name} ${objection}`);
    return value;
  };

export const mapped =
  <T, U>(reader: Reader<T>, change: (value: T) => U): Reader<U> =>
  (node, place) => {
    const value = reader(node, place);
    return value === undefined ? undefined : change(value);
  };

export const readYaml = <T>(
  source: string,
  name: string,
  read: Reader<T>,
): { value: T | undefined; mistakes: Mistake[] } => {
  const lines = new LineCounter();
  const mistakes: Mistake[] = [];
  const complain = (offset: number, message: string): void => {
    const { line, col } = lines.linePos(offset);
    mistakes.push({ line, column: col, message });
  };
  const readAll = (): T | undefined => {
    const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, schema: "core" });
    for (const { pos, code, message } of document.errors)
      complain(pos[0], code === "MULTIPLE_DOCS" ? `${name} must be one YAML document.` : message);
    return mistakes.length > 0 ? undefined : read(document.contents, { name, offset: 0, complain });
  };
  const value = unlessTooDeep(readAll, () =>
    mistakes.push({ line: 1, column: 1, message: `${name} is nested too deeply.` }),
  );
  mistakes.sort((a, b) => a.line - b.line || a.column - b.column);
  return { value, mistakes };
};

/** Readers follow the nesting of the text: the stack ends before the text does. */
const unlessTooDeep = <T>(read: () => T, otherwise: () => void): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    otherwise();
    return undefined;
  }
};
