/** Reads the words of a command: what runs inside them, and what only the shell could tell. */

import type { HereDocBody, ParameterExpansionPart, Word as ParsedWord, WordPart } from "unbash";
import { isProtectedWord } from "./protected-path.ts";
import { yieldsSyntax } from "./shell-braces.ts";
import { walkScript } from "./shell-commands.ts";
import { endsForCertain } from "./shell-extents.ts";
import type { Range, Reading } from "./shell-reading.ts";
import { literal } from "./shell-word.ts";
import type { Word } from "./shell.ts";

/** `$?`, `$#` and lengths are always numbers. */
export const wholeNumber = /^(?:\s*-?\d+|"?\$[?#]"?|"?\$\{#\w+(?:\[[@*]\])?\}"?)$/;
const numbersOnly = /^[\d\s+*/%()<>=!&|^~?:,-]*$/;

export const readWord = (word: ParsedWord, reading: Reading): Word => {
  reading.cover(word);
  return readParts(word, reading);
};

/** What literal text may contain depends on whether quotes, or the grammar around it, protect it. */
type Protection = "bare" | "operand" | "quoted" | "document";

export const readParts = (
  word: ParsedWord | HereDocBody,
  reading: Reading,
  protection: Protection = word.type === "Word" ? "bare" : "document",
): Word => {
  const { text, parts } = word;
  if (word.type === "Word" && isProtectedWord(text))
    reading.refuse("protected-path", "names a pseudo-file that holds the secrets of processes", word);
  if (protection === "bare" && yieldsSyntax(text, parts))
    reading.refuse("construct", "has braces that could yield syntax", word);
  if (parts === undefined) checkLiteral(text, word, reading, protection);
  else readTiles(parts, word, reading, protection);
  return wordOf(text, parts);
};

/** Between double quotes only `"$@"`, `"${a[@]}"` and their like yield anything but one word. */
const isList = (part: WordPart): boolean =>
  (part.type === "SimpleExpansion" || part.type === "ParameterExpansion") && part.text.includes("@");

const yieldsOne = ([part, ...others]: readonly WordPart[]): boolean => {
  if (part === undefined || others.length > 0) return false;
  return part.type === "DoubleQuoted" ? !part.parts.some(isList) : wholeNumber.test(part.text);
};

export const wordOf = (text: string, parts: readonly WordPart[] | undefined): Word => {
  const known = literal(text);
  return { text, literal: known, isOne: known !== undefined || yieldsOne(parts ?? []) };
};

/** The parts of a word lie side by side and leave nothing out. */
const readTiles = (
  parts: readonly WordPart[],
  whole: Range,
  reading: Reading,
  protection: Protection,
): void => {
  let end = whole.pos;
  for (const part of parts) {
    if (part.pos !== end || !endsForCertain(reading.source, part, whole.end))
      return reading.refuse("construct", "cannot be read reliably", whole);
    if (protection === "quoted" && part.type === "CommandExpansion" && /^`[^]*"/.test(part.text))
      reading.refuse("construct", "has quotes inside backticks inside quotes; use $(…)", part);
    readPart(part, reading, protection);
    end = part.end;
  }
  if (end !== whole.end) reading.refuse("construct", "cannot be read reliably", whole);
};

const runs: Readonly<Record<Protection, RegExp>> = {
  bare: /[|&;()<> \t\n'"`]|\$[({['"]/,
  operand: /`|\$[({['"]|[<>]\(/,
  quoted: /[`"]|\$[({[]/,
  document: /`|\$[({[]/,
};

/** Literal text never contains what Bash would still take for syntax. */
const checkLiteral = (text: string, where: Range, reading: Reading, protection: Protection): void => {
  if (!runs[protection].test(text) && !text.endsWith("\\")) return;
  const unescaped = text.replace(/\\[^]/g, "");
  if (runs[protection].test(unescaped) || unescaped.endsWith("\\"))
    reading.refuse("construct", "cannot be read reliably", where);
};

const inside = ({ pos, end }: Range): Range => ({ pos: pos + 1, end: end - 1 });

const readPart = (part: WordPart, reading: Reading, protection: Protection): void => {
  switch (part.type) {
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "SimpleExpansion":
      return;
    case "Literal":
      return checkLiteral(part.text, part, reading, protection);
    case "DoubleQuoted":
      return readTiles(part.parts, inside(part), reading, "quoted");
    case "Glob":
    case "BraceExpansion":
      if (part.parts === undefined) return checkLiteral(part.text, part, reading, protection);
      return readTiles(part.parts, inside(part), reading, protection);
    case "ParameterExpansion":
      return readParameter(part, reading);
    case "CommandExpansion":
      if (part.text.startsWith("`") && part.text.includes("\\"))
        reading.refuse("construct", "has escapes inside backticks; use $(…)", part);
      if (part.text.startsWith("${"))
        reading.refuse("construct", "is not a substitution in every version of Bash", part);
      return walkScript(part.script, reading, part.pos);
    case "ProcessSubstitution":
      return walkScript(part.script, reading, part.pos);
    case "ArithmeticExpansion":
      return refuseArithmetic(/^\$\(\(([^]*)\)\)$/.exec(part.text)?.[1] ?? "$", part, reading);
    default:
      return reading.refuse("construct", `is an expansion that cannot be decided (${part.type})`, part);
  }
};

/** Arithmetic evaluates the text of variables, and that text may run commands: only numbers are certain. */
export const refuseArithmetic = (text: string, where: Range, reading: Reading): void => {
  if (!numbersOnly.test(text))
    reading.refuse("expansion", "is arithmetic on more than numbers, which can run commands", where);
};

const readParameter = (part: ParameterExpansionPart, reading: Reading): void => {
  const refuse = (message: string): void => reading.refuse("expansion", message, part);
  if (/['"]|\\['"`$\\{}\n]/.test(part.text))
    return refuse("has quotes inside, whose meaning depends on those around it");
  if (/[<>]\(/.test(part.text)) return refuse("has a process substitution inside, which not all read alike");
  if (part.prefix === "!") refuse("expands a name that only the shell knows");
  if (part.index !== undefined && !/^(?:[@*]|\d+)$/.test(part.index.text))
    refuse("has a subscript that is evaluated, which can run commands");
  const { operation } = part;
  if (operation === undefined) return;
  switch (operation.type) {
    case "Default":
      if (operation.operator.endsWith("=")) refuse("assigns to a variable");
      return void readParts(operation.operand, reading, "operand");
    case "Remove":
      return void readParts(operation.operand, reading, "operand");
    case "Replace":
      readParts(operation.pattern, reading, "operand");
      return void readParts(operation.replacement, reading, "operand");
    case "CaseModification":
      if (operation.operand !== undefined) readParts(operation.operand, reading, "operand");
      return;
    case "Slice":
      if (![operation.offset, operation.length].every((word) => wholeNumber.test(word?.text ?? "0")))
        refuse("has an offset that is evaluated, which can run commands");
      return;
    case "Transform":
      if (!/^[QULu]$/.test(operation.operand.text)) refuse("is a transformation that can run commands");
      return;
    default:
      return refuse(`is an expansion that cannot be decided (${operation.type})`);
  }
};
