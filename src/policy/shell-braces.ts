/** Brace lists: Bash multiplies the raw text of a word before it looks for expansions in what comes out. */

import type { WordPart } from "unbash";

/** What no quotes protect, with a blank for every part that keeps its own ends. */
const unquoted = (parts: readonly WordPart[]): string =>
  parts
    .map((part) => {
      if (part.type === "Literal") return part.text;
      if (part.type !== "Glob" && part.type !== "BraceExpansion") return " ";
      if (part.parts === undefined) return part.text;
      return `${part.text[0]}${unquoted(part.parts)}${part.text.at(-1)}`;
    })
    .join("");

/** Between the upper and the lower case letters lie the backslash and the backtick. */
const passesThroughSyntax = /\{(?:[A-Z]\.\.[a-z]|[a-z]\.\.[A-Z])/;

/** `{$,a}{x}` becomes `${x}`, and `{Z..a}` yields quotes: what runs is then not what was read. */
export const yieldsSyntax = (text: string, parts: readonly WordPart[] | undefined): boolean => {
  if (!text.includes("{")) return false;
  const open = parts === undefined ? text : unquoted(parts);
  if (!open.includes("{")) return false;
  const unescaped = open.replace(/\\[^\n]/g, " ");
  return unescaped.includes("{") && (/[$\\]/.test(unescaped) || passesThroughSyntax.test(unescaped));
};
