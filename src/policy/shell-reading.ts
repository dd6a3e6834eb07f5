/** The parts found so far, and the proof that the parser has overlooked nothing of the text. */

import type { Part, UnmatchableReason } from "./shell.ts";

export type Range = { readonly pos: number; readonly end: number };

type Leaf = Range & { readonly joins: boolean };

export type Reading = {
  readonly source: string;
  readonly parts: Part[];
  readonly refuse: (reason: UnmatchableReason, message: string, where: Range) => void;
  /** Marks what the parser has understood; `joins` if a word may follow without a blank. */
  readonly cover: (range: Range, joins?: boolean) => void;
  /** Reads a script inside the script, and refuses it if anything but syntax and comments is left between its leaves. */
  readonly within: (script: Range, read: () => void) => void;
};

const operators = /[ \t\n;&|(){}!]+/y;
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
    const operatorsEnd = Math.min(skip(operators, source, at), to);
    const next = Math.max(operatorsEnd, skip(keyword, source, at), skip(comment, source, at));
    if (next === at || next > to) return at;
    at = next;
  }
  return undefined;
};

export const createReading = (source: string): Reading => {
  const parts: Part[] = [];
  let leaves: Leaf[] = [];

  const refuse: Reading["refuse"] = (reason, message, { pos, end }) => {
    parts.push({ kind: "unmatchable", reason, message, text: source.slice(pos, end), at: pos });
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
