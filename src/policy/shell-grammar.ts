/** Which piece of syntax may follow which: the parser is more lenient than Bash, which runs what follows an error. */

/**
 * `^` start, `$` end, `w` word, `p` prefix (`!`, `time`), `n` head of a function, `c` `for` `case` `select` `function`,
 * `i` `in`, `k` `if` `while` `until`, `d` `then` `do` `else` `elif`, `e` `fi` `done` `esac`, `o` `&&` `||` `|` `|&`,
 * `t` `;;` `;&` `;;&`, `l` line end; the others stand for themselves.
 */
export type Syntax =
  | "^"
  | "$"
  | "w"
  | "p"
  | "n"
  | "c"
  | "i"
  | "k"
  | "d"
  | "e"
  | "o"
  | "t"
  | "l"
  | ";"
  | "&"
  | "("
  | ")"
  | "{"
  | "}";

const afterCommand = "w)}e";
const afterList = `${afterCommand};&l`;
const whereCommandStarts = "^;&lotkdipn({)";

const mayFollow: Readonly<Record<Syntax, string>> = {
  "^": "",
  $: `^${afterList}`,
  w: `${whereCommandStarts}wc}e`,
  p: whereCommandStarts,
  n: `${whereCommandStarts}c`,
  c: whereCommandStarts,
  i: "wl",
  k: whereCommandStarts,
  d: afterList,
  e: `${afterList}ti`,
  o: afterCommand,
  t: afterList,
  l: `${afterCommand};&t`,
  ";": `${afterCommand}i`,
  "&": afterCommand,
  "(": whereCommandStarts,
  ")": afterList,
  "{": whereCommandStarts,
  "}": afterList,
};

export const follows = (before: Syntax, next: Syntax): boolean => mayFollow[next].includes(before);

/** Line ends mean something only after a whole command; after a prefix Bash takes them for its command. */
export const isBlank = (before: Syntax, next: Syntax): boolean =>
  next === "l" && !`${afterCommand}p`.includes(before);

const token =
  /\\\n|[ \t]+|\n|;;&|;[;&]|&&|\|\||\|&|[;&|(){}!]|(?:if|then|elif|else|fi|for|while|until|do|done|case|in|esac|select|function)(?![\w-])/y;

const kinds: ReadonlyMap<string, Syntax> = new Map<string, Syntax>([
  ...["for", "case", "select", "function"].map((name) => [name, "c"] as const),
  ...["if", "while", "until"].map((name) => [name, "k"] as const),
  ...["then", "do", "else", "elif"].map((name) => [name, "d"] as const),
  ...["fi", "done", "esac"].map((name) => [name, "e"] as const),
  ...["&&", "||", "|", "|&"].map((name) => [name, "o"] as const),
  ...[";;", ";&", ";;&"].map((name) => [name, "t"] as const),
  ...([";", "&", "(", ")", "{", "}"] as const).map((name) => [name, name] as const),
  ["in", "i"],
  ["!", "p"],
  ["\n", "l"],
]);

/** The piece of syntax at a place in the text, `kind` undefined for blanks; nothing if there is none. */
export const syntaxAt = (
  source: string,
  at: number,
): { end: number; kind: Syntax | undefined } | undefined => {
  token.lastIndex = at;
  const found = token.exec(source);
  return found === null ? undefined : { end: token.lastIndex, kind: kinds.get(found[0]) };
};
