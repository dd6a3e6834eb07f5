/** Builtins that read like harmless programs but evaluate some arguments as code or assign to variables. */

import { freeVariable } from "./shell-names.ts";
import type { Word } from "./shell.ts";

const evaluates = "has an argument that Bash could evaluate as code";

const safeUnary = /^(?:-[abcdefghknoprstuwxzGLNOS]|!)$/;
const binary = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/;

/** `test -v 'a[$(…)]'` runs the substitution, so the operators must be certain. */
const isCertainTest = (words: readonly Word[]): boolean => {
  if (!words.every(({ isOne }) => isOne)) return false;
  const [first, second] = words;
  if (words.length <= 1) return true;
  if (words.length === 2) return safeUnary.test(first?.literal ?? "");
  if (words.length === 3 && binary.test(second?.literal ?? "")) return true;
  if (first?.literal === "!" && words.length <= 4) return isCertainTest(words.slice(1));
  return words.every(({ literal }) => literal !== undefined && literal !== "-v" && literal !== "-R");
};

const whyUncertainTest = (words: readonly Word[]): string | undefined => {
  if (isCertainTest(words)) return undefined;
  const loose = words.find(({ text, isOne }) => !isOne && /^\$\w+$/.test(text));
  return loose === undefined
    ? evaluates
    : `has \`${loose.text}\` unquoted, which could become operators; write "${loose.text}"`;
};

const startsWithoutDash = (word: Word): boolean =>
  word.literal === undefined ? /^"[^-"$`\\]/.test(word.text) : !word.literal.startsWith("-");

/** `printf -v name` and the conversion `%n` assign to a variable, `PATH` for example. */
const isCertainPrintf = (words: readonly Word[]): boolean => {
  const [format, ...values] = words[0]?.literal === "--" ? words.slice(1) : words;
  if (format === undefined) return true;
  if (words[0] === format && !startsWithoutDash(format)) return false;
  if (format.literal === undefined) return format.isOne && values.length === 0;
  return !/%[^%a-z]*[hjltz]*n/i.test(format.literal.replaceAll("%%", ""));
};

const isPlainName = ({ literal }: Word): boolean => literal !== undefined && freeVariable.test(literal);

const isArgument = ({ text, literal }: Word): boolean => literal !== undefined || /^\$'\\[0nt]'$/.test(text);

/** The words after the options, if all options are known: `flags` stand alone, after `valued` comes an argument. */
const afterOptions = (words: readonly Word[], flags: RegExp, valued: RegExp): readonly Word[] | undefined => {
  for (let at = 0; at < words.length; at += 1) {
    const { literal = "-" } = words[at]!;
    if (!literal.startsWith("-")) return words.slice(at);
    if (valued.test(literal) && words[at + 1] !== undefined && isArgument(words[at + 1]!)) at += 1;
    else if (!flags.test(literal)) return undefined;
  }
  return [];
};

/** `read name` assigns, so it may only set names that no program gives a meaning to. */
const isPlainRead = (words: readonly Word[]): boolean =>
  afterOptions(words, /^-[rsa]+$/, /^-[rs]*[dnNptu]$/)?.every(isPlainName) === true;

/** `mapfile -C` runs commands. */
const isPlainMapfile = (words: readonly Word[]): boolean =>
  afterOptions(words, /^-t$/, /^-t?[dnOsu]$/)?.every(isPlainName) === true;

const setLetters = /^[-+][efuvxCET]*o?$/;
const setNames = /^(?:errexit|errtrace|functrace|noclobber|noglob|nounset|pipefail|verbose|xtrace)$/;

/** `set -a` shows variables to programs, `set -k` turns arguments into assignments, `set -H` replaces text before it is read, other options are as strange. */
const isPlainSet = ([word, ...others]: readonly Word[]): boolean => {
  if (word === undefined) return true;
  if (word.literal === undefined) return false;
  if (word.literal === "--" || !/^[-+]/.test(word.literal)) return true;
  if (!setLetters.test(word.literal)) return false;
  if (!word.literal.endsWith("o")) return isPlainSet(others);
  return others.length === 0 || (setNames.test(others[0]?.literal ?? "") && isPlainSet(others.slice(1)));
};

/** `wait -p` and `unset` evaluate the subscripts of names; without `PATH` commands come from the current folder. */
const isPlainWait = (words: readonly Word[]): boolean =>
  words.every(
    ({ text, literal }) => text === "$!" || text === '"$!"' || /^(?:-[fn]+|%?\w+)$/.test(literal ?? ""),
  );

const isPlainUnset = (words: readonly Word[]): boolean =>
  words.every(({ literal }) => literal !== "PATH" && /^(?:-[fv]+|[A-Za-z_]\w*)$/.test(literal ?? ""));

export const misusedBuiltin = (name: string, words: readonly Word[]): string | undefined => {
  switch (name) {
    case "[":
      return words.at(-1)?.text === "]" ? whyUncertainTest(words.slice(0, -1)) : evaluates;
    case "test":
      return whyUncertainTest(words);
    case "printf":
      return isCertainPrintf(words)
        ? undefined
        : "could assign to a variable or evaluate an argument as code";
    case "read":
      return isPlainRead(words) ? undefined : "could assign to a variable that programs give a meaning to";
    case "mapfile":
    case "readarray":
      return isPlainMapfile(words) ? undefined : "could run commands or assign to a variable that matters";
    case "set":
      return isPlainSet(words) ? undefined : "could change how Bash reads what follows";
    case "unset":
      return isPlainUnset(words) ? undefined : evaluates;
    case "wait":
      return isPlainWait(words) ? undefined : evaluates;
    default:
      return undefined;
  }
};
