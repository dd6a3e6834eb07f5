/** Where a text stops being JSON, as line and column: the engine's own messages tell that only sometimes. */

const space = /[ \t\r\n]*/y;
const letters = /[^"\\\u0000-\u001f]+/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const quote = /"/y;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const [comma, colon] = [/,/y, /:/y];
const brackets = { object: [/\{/y, /\}/y], array: [/\[/y, /\]/y] } as const;

/** Without recursion: the nesting of a foreign text may be deeper than the stack. */
export const findJsonMistake = (text: string): { line: number; column: number } => {
  const open: (keyof typeof brackets)[] = [];
  let at = 0;

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };

  const takeString = (): boolean => {
    const start = at;
    if (!take(quote)) return false;
    while (take(letters) || take(escape));
    if (take(quote)) return true;
    at = start;
    return false;
  };

  const takeKey = (): boolean => take(space) && takeString() && take(space) && take(colon);

  /** What can stand before a value: nothing in a list, its key in an object. */
  const takeLead = (): boolean => open.at(-1) !== "object" || takeKey();

  /** The brackets that a value opens; false when it is complete without. */
  const takeOpening = (): boolean => {
    for (const kind of ["object", "array"] as const) {
      if (!take(brackets[kind][0])) continue;
      open.push(kind);
      take(space);
      return !takeClosing();
    }
    return false;
  };

  const takeClosing = (): boolean => {
    const kind = open.at(-1);
    if (kind === undefined || !take(brackets[kind][1])) return false;
    open.pop();
    return take(space);
  };

  const takeValues = (): void => {
    for (;;) {
      take(space);
      const before = at;
      if (takeOpening()) {
        if (takeLead()) continue;
        return;
      }
      if (at === before && !takeString() && !take(word)) return;
      take(space);
      while (takeClosing());
      if (open.length === 0 || !take(comma) || !takeLead()) return;
    }
  };

  takeValues();
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
};
