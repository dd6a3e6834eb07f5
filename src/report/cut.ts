/** Shortens text so that the reader sees that, where and how much is missing. */

import { createWords } from "./words.ts";

const { count } = createWords();

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** A place to cut at or before `at` that does not split a character. */
const boundary = (text: string, at: number): number => (isHighSurrogate(text, at - 1) ? at - 1 : at);

export const countOf = (characters: number): string =>
  characters < 10_000
    ? count(characters, "character")
    : `${Math.round(characters / 1000)} thousand characters`;

/** Keeps the head and the tail: the end of an output often says how it went. */
export const cutMiddle = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const head = boundary(text, Math.ceil(limit * 0.7));
  const tail = boundary(text, text.length - Math.floor(limit * 0.3));
  return `${text.slice(0, head)}\n⋯ ${countOf(tail - head)} left out here ⋯\n${text.slice(tail)}`;
};

/** One line, for titles and tables. */
export const oneLine = (text: string, limit: number): string => {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > limit ? `${line.slice(0, boundary(line, limit - 1))}…` : line;
};
