/** Where a text stops being JSON, as line and column: the engine's own messages tell that only sometimes. */

const space = /[ \t\r\n]*/y;
const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const key = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

export const findJsonMistake = (text: string): { line: number; column: number } => {
  let at = 0;

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };

  const takeMany = (item: () => boolean, close: RegExp): boolean => {
    take(space);
    if (take(close)) return true;
    do if (!item()) return false;
    while (take(/,/y));
    return take(close);
  };

  const takeMember = (): boolean => {
    take(space);
    return take(key) && take(space) && take(/:/y) && takeValue();
  };

  const takeValue = (): boolean => {
    take(space);
    if (take(/\{/y)) return takeMany(takeMember, /\}/y) && take(space);
    if (take(/\[/y)) return takeMany(takeValue, /\]/y) && take(space);
    return take(scalar) && take(space);
  };

  takeValue();
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
};
