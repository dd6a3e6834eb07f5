/** The parts found so far, and the proof that the parser has overlooked nothing of the text. */

import { follows, isBlank, syntaxAt } from "./shell-grammar.ts";
import type { Syntax } from "./shell-grammar.ts";
import { mostFiles, mostParts } from "./shell-limits.ts";
import type { Part, UnmatchableReason } from "./shell.ts";

export type Range = { readonly pos: number; readonly end: number };

/** `body` is that of a here-document, which stands among the commands but is none of them. */
export type LeafKind = Extract<Syntax, "w" | "p" | "n" | "$"> | "body";

type Leaf = Range & { readonly joins: boolean; readonly kind: LeafKind };

export type Reading = {
  readonly source: string;
  readonly parts: readonly Part[];
  /** Adds a part at the end, or where a command was begun before what stands inside it. */
  readonly add: (part: Part, place?: number) => void;
  readonly refuse: (reason: UnmatchableReason, message: string, where: Range) => void;
  /** Marks what the parser has understood; `joins` if a word may follow without a blank. */
  readonly cover: (range: Range, joins?: boolean, kind?: LeafKind) => void;
  /** Reads a script inside the script, and refuses it if anything but syntax and comments is left between its leaves. */
  readonly within: (script: Range, read: () => void) => void;
};

/** A number sign starts a comment only at the start of a word, and Bash joins continued lines before it looks. */
const comment = /(?<![^ \t\n;&|(])(?<!\\\n)#[^\n]*/y;

const endOfComment = (source: string, at: number): number => {
  comment.lastIndex = at;
  return comment.test(source) ? comment.lastIndex : at;
};

type Gap = { readonly last: Syntax } | { readonly overlooked: number };

/** What stands between two leaves: the last piece of syntax in it, or where something is that is no legal syntax. */
const readGap = (source: string, from: number, to: number, before: Syntax): Gap => {
  let last = before;
  for (let at = from; at < to;) {
    const { end, kind } = syntaxAt(source, at) ?? { end: endOfComment(source, at), kind: undefined };
    if (end === at || end > to) return { overlooked: at };
    if (kind !== undefined && !isBlank(last, kind)) {
      if (!follows(last, kind)) return { overlooked: at };
      last = kind;
    }
    at = end;
  }
  return { last };
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
    let before: Range & { readonly joins: boolean } = { pos: script.pos, end: script.pos, joins: true };
    let syntax: Syntax = "^";
    for (const leaf of [...inOrder, { pos: script.end, end: script.end, joins: true, kind: "$" } as const]) {
      const glued = leaf.pos === before.end && !before.joins && !leaf.joins;
      const gap: Gap =
        glued || leaf.pos < before.end
          ? { overlooked: leaf.pos }
          : readGap(source, before.end, leaf.pos, syntax);
      const last: Syntax = "last" in gap ? gap.last : syntax;
      const at = "overlooked" in gap ? gap.overlooked : leaf.pos;
      if ("overlooked" in gap || (leaf.kind !== "body" && !follows(last, leaf.kind)))
        return refuse("construct", "cannot be read reliably", { pos: at, end: Math.max(leaf.end, at + 1) });
      syntax = leaf.kind === "body" ? last : leaf.kind;
      before = leaf;
    }
  };

  return {
    source,
    parts,
    add,
    refuse,
    cover: ({ pos, end }, joins = false, kind = "w") => leaves.push({ pos, end, joins, kind }),
    within: (script, read) => {
      const outer = leaves;
      leaves = [];
      read();
      check(script);
      leaves = outer;
    },
  };
};
