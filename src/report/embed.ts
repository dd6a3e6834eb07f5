/** Runs → JSON for a script element, never above a size: long texts are cut first, then the middle of long lists. */
import { cutMiddle } from "./cut.ts";
import type { Entry, Run } from "./model.ts";

type Limits = { text: number; items: number };

/** The gentlest first: the middle of a long output is missed least. */
const measures: readonly Limits[] = [
  ...[Infinity, 8192, 2048, 512, 120].map((text) => ({ text, items: Infinity })),
  ...[100_000, 40_000, 10_000, 2_000, 400, 50].map((items) => ({ text: 120, items })),
];

/** Prompt, answer and the like are few, and more is read of them than of an output. */
const proseFactor = 64;

const shortened = <T>(value: T, limits: Limits): T => {
  if (typeof value === "string") return cutMiddle(value, limits.text * proseFactor) as T;
  if (Array.isArray(value))
    return (value as unknown[]).slice(0, limits.items).map((item) => shortened(item, limits)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, limits)])) as T;
};

const withShortTexts = (entry: Entry, { text: limit }: Limits): Entry =>
  entry.sections.every(({ text }) => text.length <= limit)
    ? entry
    : {
        ...entry,
        sections: entry.sections.map((section) => ({ ...section, text: cutMiddle(section.text, limit) })),
      };

const shortRun = (run: Run, limits: Limits): Run => {
  const { entries, denials, log, ...rest } = run;
  const left = Math.max(0, entries.length - limits.items);
  const head = Math.ceil((entries.length - left) * 0.7);
  const isLeftOut = (index: number): boolean => index >= head && index < head + left;
  const placeOf = (index: number): number => (index < head ? index : index - left);
  return {
    ...shortened(rest, limits),
    entries: entries.filter((_, index) => !isLeftOut(index)).map((entry) => withShortTexts(entry, limits)),
    denials: shortened(denials, limits).map(({ entry, ...denial }) =>
      entry === undefined || isLeftOut(entry) ? denial : { ...denial, entry: placeOf(entry) },
    ),
    log: { ...log, ...(left > 0 && { leftOut: left }) },
  };
};

/** What must not stand in a script element as it is: the beginnings of tags and comments, and line separators. */
const specials = ["<", ">", "&", "\u2028", "\u2029"];

const escapeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Splitting is faster than a regular expression, with few and with very many of them. */
const escaped = (json: string): string =>
  specials.reduce((text, char) => text.split(char).join(escapeOf(char)), json);

const occurrences = (text: string, char: string): number => {
  let count = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) count += 1;
  return count;
};

/** The bytes of the escaped text, without making it. */
const escapedSize = (json: string): number =>
  specials.reduce(
    (size, char) => size + occurrences(json, char) * (escapeOf(char).length - Buffer.byteLength(char)),
    Buffer.byteLength(json),
  );

/** The characters that the texts keep: fewer bytes than this cannot be. */
const keptCharacters = (runs: readonly Run[], { text: limit }: Limits): number => {
  let kept = 0;
  for (const { entries, answer, prompt } of runs) {
    for (const text of [answer, prompt]) kept += Math.min(text.length, limit * proseFactor);
    for (const { sections } of entries) for (const { text } of sections) kept += Math.min(text.length, limit);
  }
  return kept;
};

/** The event log keeps what is left out. */
export const embed = (runs: readonly Run[], mostBytes: number): string => {
  let json = "";
  let before = Infinity;
  for (const limits of measures) {
    const kept = keptCharacters(runs, limits);
    if (limits.items === Infinity && (kept > mostBytes || kept === before)) continue;
    before = kept;
    json = JSON.stringify(limits.text === Infinity ? runs : runs.map((run) => shortRun(run, limits)));
    if (escapedSize(json) <= mostBytes) break;
  }
  return escaped(json);
};
