/** Builtins that read like harmless programs but evaluate some arguments as code or assign to variables. */

import { loopVariable } from "./shell-names.ts";
import type { Word } from "./shell.ts";

const evaluates = "has an argument that Bash could evaluate as code";

/** One word for the builtin, whatever the variables in it hold: no splitting, no globbing, no list. */
const isOneWord = (word: Word): boolean =>
  word.literal !== undefined || /^"(?:[^"\\$`]|\\.|\$\w+|\$\{\w+\})*"$/s.test(word.text);

const safeUnary = /^(?:-[abcdefghknoprstuwxzGLNOS]|!)$/;
const binary = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/;

/** `test -v 'a[$(…)]'` runs the substitution, so the operators must be certain. */
const isCertainTest = (words: readonly Word[]): boolean => {
  if (!words.every(isOneWord)) return false;
  const [first, second] = words;
  if (words.length <= 1) return true;
  if (words.length === 2) return safeUnary.test(first?.literal ?? "");
  if (words.length === 3 && binary.test(second?.literal ?? "")) return true;
  if (first?.literal === "!" && words.length <= 4) return isCertainTest(words.slice(1));
  return words.every(({ literal }) => literal !== undefined && literal !== "-v" && literal !== "-R");
};

const startsWithoutDash = (word: Word): boolean =>
  word.literal === undefined ? /^"[^-"$`\\]/.test(word.text) : !word.literal.startsWith("-");

/** `printf -v name` and the conversion `%n` assign to a variable, `PATH` for example. */
const isCertainPrintf = (words: readonly Word[]): boolean => {
  const [format, ...values] = words[0]?.literal === "--" ? words.slice(1) : words;
  if (format === undefined) return true;
  if (words[0] === format && !startsWithoutDash(format)) return false;
  if (format.literal === undefined) return isOneWord(format) && values.length === 0;
  return !/%[^%a-z]*[hjltz]*n/i.test(format.literal.replaceAll("%%", ""));
};

/** `read name` assigns, so it may only set names that no program gives a meaning to. */
const isPlainRead = (words: readonly Word[]): boolean =>
  words.every(
    ({ literal }) => literal !== undefined && (/^-[rs]+$/.test(literal) || loopVariable.test(literal)),
  );

export const misusedBuiltin = (name: string, words: readonly Word[]): string | undefined => {
  switch (name) {
    case "[":
      return words.at(-1)?.text === "]" && isCertainTest(words.slice(0, -1)) ? undefined : evaluates;
    case "test":
      return isCertainTest(words) ? undefined : evaluates;
    case "printf":
      return isCertainPrintf(words)
        ? undefined
        : "could assign to a variable or evaluate an argument as code";
    case "read":
      return isPlainRead(words) ? undefined : "could assign to a variable that programs give a meaning to";
    default:
      return undefined;
  }
};
