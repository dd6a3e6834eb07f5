/** Command text → everything in it that would run, be assigned, or be opened by the shell itself. */

import { parse } from "unbash";
import { walkScript } from "./shell-commands.ts";
import { whyUnread } from "./shell-limits.ts";
import { createReading } from "./shell-reading.ts";

export type Word = {
  readonly text: string;
  /** As the program will receive it; undefined if only the shell can tell. */
  readonly literal: string | undefined;
  /** Whether it stays one word, whatever its expansions yield: no splitting, no globbing, no list. */
  readonly isOne: boolean;
};

export type UnmatchableReason = "parse-error" | "expansion" | "construct" | "too-long" | "protected-path";

/** `text` is the source of the part and `at` where it stands. */
export type Part = { readonly text: string; readonly at: number } & (
  | { readonly kind: "command"; readonly name: string; readonly words: readonly Word[] }
  | {
      readonly kind: "assignment";
      readonly name: string;
      readonly value: string | undefined;
      /** Not before a command, which would get the variable. */
      readonly isAlone: boolean;
    }
  | { readonly kind: "file"; readonly access: "read" | "write" | "read-write"; readonly target: string }
  | { readonly kind: "unmatchable"; readonly reason: UnmatchableReason; readonly message: string }
);

/** Line ends of other systems, terminal control, text that displays in another order than it runs, broken encoding. */
const forbiddenCharacters =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

const shown = 80;

const unmatchable = (reason: UnmatchableReason, message: string, text: string, at = 0): Part[] => [
  { kind: "unmatchable", reason, message, text: text.slice(at, at + shown), at },
];

/** Every part of the text, in source order. One part that is not approved is enough to refuse the whole. */
export const shellParts = (text: string): readonly Part[] => {
  const unread = whyUnread(text);
  if (unread !== undefined) return unmatchable("too-long", unread, text);
  const forbidden = forbiddenCharacters.exec(text);
  if (forbidden?.[0] === "\r") {
    const line = text.lastIndexOf("\n", forbidden.index) + 1;
    return unmatchable(
      "construct",
      "has a carriage return (a Windows line end)",
      text.slice(0, forbidden.index),
      line,
    );
  }
  if (forbidden !== null)
    return unmatchable("construct", "starts with a control character", text, forbidden.index);
  const reading = createReading(text);
  try {
    walkScript(parse(text), reading, 0);
  } catch {
    return unmatchable("too-long", "is nested too deeply or has too many commands to be read", text);
  }
  return reading.parts.length === 0 ? unmatchable("parse-error", "contains no command", text) : reading.parts;
};
