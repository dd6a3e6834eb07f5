/** Whether a part of a word certainly ends where the parser says: one that ends elsewhere hides what runs after it. */

import type { WordPart } from "unbash";

/** The character that opens a part is closed by the first of its kind. */
const closesOnce = (source: string, pos: number, end: number): boolean =>
  end - pos >= 2 && source.indexOf(source[pos]!, pos + 1) === end - 1;

const isEnclosed = (source: string, { pos, end }: WordPart, open: string, close: string): boolean =>
  end - pos >= open.length + close.length && source.startsWith(open, pos) && source.endsWith(close, end);

const parameter = /^\$(?:\w+|[@*#?$!-])$/;
const escapedQuotes = /^\$'(?:[^'\\]|\\[^])*'$/;

const isClosed = (source: string, part: WordPart): boolean => {
  switch (part.type) {
    case "SingleQuoted":
      return source[part.pos] === "'" && closesOnce(source, part.pos, part.end);
    case "AnsiCQuoted":
      return escapedQuotes.test(source.slice(part.pos, part.end));
    case "DoubleQuoted":
      return isEnclosed(source, part, '"', '"');
    case "SimpleExpansion":
      return parameter.test(source.slice(part.pos, part.end));
    case "ParameterExpansion":
      return isEnclosed(source, part, "${", "}");
    case "CommandExpansion":
      return source[part.pos] === "`"
        ? closesOnce(source, part.pos, part.end)
        : isEnclosed(source, part, "$(", ")");
    case "ProcessSubstitution":
      return isEnclosed(source, part, `${part.operator}(`, ")");
    case "ArithmeticExpansion":
      return isEnclosed(source, part, "$((", "))") || isEnclosed(source, part, "$[", "]");
    default:
      return true;
  }
};

const isSpecial = (source: string, { type, end }: WordPart): boolean =>
  type === "SimpleExpansion" && /\W/.test(source[end - 1]!);

/** While Bash looks for the end of a string it takes the second dollar of `$${` and `$$(` for that of an expansion. */
const reachesOut = (source: string, part: WordPart, wholeEnd: number): boolean => {
  const { end } = part;
  if (!isSpecial(source, part) && source[end - 1] !== "$") return false;
  const next = source[end] ?? " ";
  const isContinued = next === "\\" && source[end + 1] === "\n";
  return "({[".includes(next) || isContinued || (end < wholeEnd && `'"\``.includes(next));
};

/** `wholeEnd` is where the word ends, or the string around the part. */
export const endsForCertain = (source: string, part: WordPart, wholeEnd: number): boolean =>
  isClosed(source, part) && !reachesOut(source, part, wholeEnd);
