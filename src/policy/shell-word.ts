/** What one word of shell source says before the shell has expanded anything. */

/** Stands for text that only the shell will know: an expansion, a glob, a brace list. NUL never occurs in a command. */
export const unknown = "\0";

const plain = /^[\w.+@%:,/=-]+$/;

const escapes = /\\(?:x[\da-f]{1,2}|[0-7]{1,3}|u[\da-f]{1,4}|U[\da-f]{1,8}|c[^]|[^])/gi;

const closingBracket: Readonly<Record<string, string>> = { "[": "]", "{": "}" };

/** Where an expansion that starts with `$` at `start` ends, roughly: this only shapes a pattern, it never approves. */
const endOfExpansion = (text: string, start: number): number => {
  const next = text[start + 1];
  if (next === "{") return closingAfter(text, start, "}");
  if (next === "(") return Math.max(text.lastIndexOf(")"), start) + 1;
  const name = /^\$(?:\w+|[@*#?$!_-])?/.exec(text.slice(start, start + 256));
  return start + (name?.[0].length ?? 1);
};

const closingAfter = (text: string, start: number, close: string): number => {
  const end = text.indexOf(close, start + 1);
  return end === -1 ? text.length : end + 1;
};

/** Stand for the syntax of a brace list; control characters never occur in a command. */
const [listStart, listNext, listEnd] = ["\x01", "\x02", "\x03"] as const;
const listMarks: Readonly<Record<string, string>> = { "{": listStart, ",": listNext, "}": listEnd };

/** The word without its quotes, with `unknown` in place of all that the shell would still expand. */
export const outline = (text: string, marksLists = false): string => {
  if (plain.test(text)) return text;
  let out = "";
  let quoted = false;
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    if (char === "\\") {
      const next = text[at + 1] ?? unknown;
      if (quoted && !'$`"\\\n'.includes(next)) out += char;
      out += next === "\n" ? unknown : next;
      at += 2;
    } else if (char === '"') {
      quoted = !quoted;
      at += 1;
    } else if (char === "$" && text[at + 1] === "'" && !quoted) {
      const [whole, inner] = /^\$'((?:[^'\\]|\\[^])*)'?/.exec(text.slice(at)) ?? ["$'", ""];
      out += unknown + inner.replace(escapes, unknown);
      at += whole.length;
    } else if (char === "$") {
      out += unknown;
      at = endOfExpansion(text, at);
    } else if (char === "`") {
      out += unknown;
      at = closingAfter(text, at, "`");
    } else if (quoted) {
      out += char;
      at += 1;
    } else if (char === "'") {
      const end = text.indexOf("'", at + 1);
      out += end === -1 ? unknown : text.slice(at + 1, end);
      at = end === -1 ? text.length : end + 1;
    } else if (marksLists && listMarks[char] !== undefined) {
      out += listMarks[char];
      at += 1;
    } else if (char === "[" || char === "{") {
      out += unknown;
      at = closingAfter(text, at, closingBracket[char]!);
    } else if ("*?]}()<>|&; \t\n".includes(char) || (char === "~" && out === "")) {
      out += unknown;
      at += 1;
    } else {
      out += char;
      at += 1;
    }
  }
  return out;
};

const innermostList = /\x01([^\x01\x03]*)\x03/;

/** Outlines of all the words that the brace lists in a word yield; undefined if they are too many to look at. */
export const outlines = (text: string): string[] | undefined => {
  if (!text.includes("{")) return [outline(text)];
  const most = Math.min(100, 200_000 / text.length);
  const done: string[] = [];
  const pending = [outline(text, true)];
  for (let word = pending.pop(); word !== undefined; word = pending.pop()) {
    const list = innermostList.exec(word);
    const items = list?.[1]?.split(listNext) ?? [];
    if (done.length + pending.length + items.length > most) return undefined;
    if (list === null) done.push(word.replaceAll(listNext, ",").replace(/[\x01\x03]/g, unknown));
    const before = word.slice(0, list?.index);
    const after = word.slice(before.length + (list?.[0].length ?? 0));
    for (const item of items) pending.push(before + (items.length === 1 ? unknown : item) + after);
  }
  return done;
};

/** The word as the program will receive it, or undefined if only the shell can tell. */
export const literal = (text: string): string | undefined => {
  const outlined = outline(text);
  return outlined.includes(unknown) ? undefined : outlined;
};
