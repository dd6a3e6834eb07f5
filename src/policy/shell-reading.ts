/** The parts found so far, and the proof that the parser has overlooked nothing of the text. */

import { mostFiles, mostParts } from "./shell-limits.ts";
import type { Part, UnmatchableReason } from "./shell.ts";

export type Range = { readonly pos: number; readonly end: number };

type Leaf = Range & { readonly joins: boolean };

export type Reading = {
  readonly source: string;
  readonly parts: readonly Part[];
  /** Adds a part at the end, or where a command was begun before what stands inside it. */
  readonly add: (part: Part, place?: number) => void;
  readonly refuse: (reason: UnmatchableReason, message: string, where: Range) => void;
  /** Marks what the parser has understood; `joins` if a word may follow without a blank. */
  readonly cover: (range: Range, joins?: boolean) => void;
  /** Reads a script inside the script, and refuses it if anything but syntax and comments is left between its leaves. */
  readonly within: (script: Range, read: () => void) => void;
};

const operators: ReadonlySet<string> = new Set(" \t\n;&|(){}!");
const keyword =
  /\\\n|(?:if|then|elif|else|fi|for|while|until|do|done|case|in|esac|select|function)(?![\w-])/y;

/** A number sign starts a comment only at the start of a word, and Bash joins continued lines before it looks. */
const comment = /(?<![^ \t\n;&|(])(?<!\\\n)#[^\n]*/y;

const skip = (pattern: RegExp, source: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
};

/** Where something stands that is neither syntax nor a comment, if it does. */
const overlooked = (source: string, from: number, to: number): number | undefined => {
  for (let at = from; at < to;) {
    const next = operators.has(source[at]!)
      ? at + 1
      : Math.max(skip(keyword, source, at), skip(comment, source, at));
    if (next === at || next > to) return at;
    at = next;
  }
  return undefined;
};

export const createReading = (source: string): Reading => {
  const parts: Part[] = [];
  let files = 0;
  let leaves: Leaf[] = [];

  const add: Reading["add"] = (part, place = parts.length) => {
    if (part.kind === "file") files += 1;
    if (parts.length >= mostParts || files > mostFiles) throw new RangeError("too many parts");
    parts.splice(place, 0, part);
  };

  const refuse: Reading["refuse"] = (reason, message, { pos, end }) => {
    add({ kind: "unmatchable", reason, message, text: source.slice(pos, end), at: pos });
  };

  const check = (script: Range): void => {
    const inOrder = leaves.sort((a, b) => a.pos - b.pos);
    let before: Leaf = { pos: script.pos, end: script.pos, joins: true };
    for (const leaf of [...inOrder, { pos: script.end, end: script.end, joins: true }]) {
      const glued = leaf.pos === before.end && !before.joins && !leaf.joins;
      const at = glued || leaf.pos < before.end ? leaf.pos : overlooked(source, before.end, leaf.pos);
      if (at !== undefined)
        return refuse("construct", "cannot be read reliably", { pos: at, end: Math.max(leaf.end, at + 1) });
      before = leaf;
    }
  };

  return {
    source,
    parts,
    add,
    refuse,
    cover: ({ pos, end }, joins = false) => leaves.push({ pos, end, joins }),
    within: (script, read) => {
      const outer = leaves;
      leaves = [];
      read();
      check(script);
      leaves = outer;
    },
  };
};
