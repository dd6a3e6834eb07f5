/** Walks the commands of a script. What it does not know, it refuses. */

import type {
  ArrayValue,
  Assignment,
  Command,
  HereDoc,
  ParsedScript,
  Redirect,
  Redirection,
  SyntaxNode,
  TestExpression,
  Word as ParsedWord,
} from "unbash";
import { isProcessFolder } from "./protected-path.ts";
import { misusedBuiltin } from "./shell-builtins.ts";
import { executableName, freeVariable } from "./shell-names.ts";
import type { Range, Reading } from "./shell-reading.ts";
import { literal } from "./shell-word.ts";
import { readParts, readWord, refuseArithmetic, wholeNumber, wordOf } from "./shell-words.ts";
import type { Word } from "./shell.ts";

export const walkScript = (script: ParsedScript | undefined, reading: Reading, at: number): void => {
  if (script === undefined || script.source !== undefined)
    return reading.refuse("construct", "is nested in a way that cannot be read reliably", {
      pos: at,
      end: at,
    });
  const [error] = script.errors ?? [];
  if (error !== undefined) {
    const pos = error.pos < script.end ? error.pos : script.pos;
    return reading.refuse("parse-error", `is not valid Bash (${error.message})`, { pos, end: script.end });
  }
  reading.within(script, () => walkAll(script.commands, reading));
};

const walkAll = (nodes: readonly SyntaxNode[], reading: Reading): void => {
  for (const node of nodes) walk(node, reading);
};

const walk = (node: SyntaxNode, reading: Reading): void => {
  switch (node.type) {
    case "Statement":
      return walk(node.command, reading);
    case "CompoundList":
    case "AndOr":
      return walkAll(node.commands, reading);
    case "Pipeline":
      for (const prefix of node.prefixes) reading.cover(prefix, false, "p");
      return walkAll(node.commands, reading);
    case "Command":
      return readCommand(node, reading);
    case "Redirected":
      walk(node.command, reading);
      for (const redirection of node.redirects) readRedirection(redirection, reading);
      return;
    case "Subshell":
    case "BraceGroup":
      return walk(node.body, reading);
    case "If":
      walkAll([node.clause, node.then, ...node.elif], reading);
      if (node.else !== undefined) walk(node.else, reading);
      return;
    case "Elif":
      return walkAll([node.clause, node.then], reading);
    case "While":
      return walkAll([node.clause, node.body], reading);
    case "For":
    case "Select":
      if (!freeVariable.test(node.name.text))
        reading.refuse("construct", "is a variable that a loop may not set", node.name);
      reading.cover(node.name);
      for (const word of node.wordlist ?? []) readWord(word, reading);
      return walk(node.body, reading);
    case "Case":
      readWord(node.word, reading);
      for (const { pattern, body } of node.items) {
        for (const word of pattern) readWord(word, reading);
        walk(body, reading);
      }
      return;
    case "Function":
      if (!executableName.test(node.name.text))
        reading.refuse("construct", "is not a plain function name", node.name);
      reading.cover(headOf(node.name, reading), false, "n");
      return walk(node.body, reading);
    case "TestCommand":
      readTest(node.expression, reading);
      return reading.cover(node);
    case "ArithmeticCommand":
      refuseArithmetic(node.body, node, reading);
      return reading.cover(node);
    default:
      return reading.refuse("construct", `is a construct that cannot be decided (${node.type})`, node);
  }
};

/** The name of a function with the parentheses behind it. */
const headOf = ({ pos, end }: Range, { source }: Reading): Range => {
  const parentheses = /[ \t]*\([ \t]*\)/y;
  parentheses.lastIndex = end;
  return { pos, end: parentheses.test(source) ? parentheses.lastIndex : end };
};

const readCommand = (node: Command, reading: Reading): void => {
  const place = reading.parts.length;
  for (const item of node.prefix)
    if (item.type !== "Assignment") readRedirection(item, reading);
    else if (separatesFields(item, node)) readAssignmentArgument(item, reading);
    else readAssignment(item, node.name === undefined, reading);
  const words = node.name === undefined ? [] : [readWord(node.name, reading)];
  for (const item of node.suffix)
    if (item.type === "Word") words.push(readWord(item, reading));
    else if (item.type === "Assignment") words.push(readAssignmentArgument(item, reading));
    else readRedirection(item, reading);
  const [first] = words;
  if (first === undefined) return;
  const name = first.text === "[" ? "[" : first.literal;
  if (name === undefined || (name !== "[" && !executableName.test(name)))
    return reading.refuse("expansion", "is not a plain command name", node.name ?? node);
  if ((name === "cd" || name === "pushd") && words.some((word) => isProcessFolder(word.literal ?? "")))
    reading.refuse("protected-path", "goes to where the secrets of processes are", node);
  const misuse = misusedBuiltin(name, words.slice(1));
  if (misuse !== undefined) reading.refuse("expansion", misuse, node);
  const text = reading.source.slice(node.pos, node.end);
  reading.add({ kind: "command", name, words, text, at: node.pos }, place);
};

/** `IFS=, read a b` holds for `read` alone, and only says where the fields end. */
const separatesFields = ({ name, text, append, index }: Assignment, command: Command): boolean =>
  command.name?.text === "read" &&
  name === "IFS" &&
  append !== true &&
  index === undefined &&
  /^IFS=(?:[,:/-]?|'[^'\\]*'|"[^"\\$`]*"|\$'(?:[^'\\]|\\[nrt])*')$/.test(text);

const readAssignment = (node: Assignment, isAlone: boolean, reading: Reading): void => {
  const { name, text, pos } = node;
  if (isAlone && node.value.type === "ArrayValue") readList(node, node.value, reading);
  else readAssignmentArgument(node, reading);
  const isSimple = node.value.type === "Word" && node.append !== true && node.index === undefined;
  const value = isSimple ? literal(text.slice(name.length + 1)) : undefined;
  reading.add({ kind: "assignment", name, value, isAlone, text, at: pos });
};

/** `files=(a b)`: plain words with blanks between them; `[…]=` would be a subscript, which is evaluated. */
const readList = (node: Assignment, { elements, pos, end }: ArrayValue, reading: Reading): void => {
  reading.cover(node);
  const ends = [pos + 1, ...elements.map((element) => element.end)];
  const starts = [...elements.map((element) => element.pos), end - 1];
  const areBlank = starts.every((start, at) => /^[ \t\n]*$/.test(reading.source.slice(ends[at], start)));
  if (!areBlank || node.index !== undefined || elements.some(({ text }) => /^\[|\]\+?=/.test(text)))
    return reading.refuse("construct", "is a list that cannot be read reliably", node);
  for (const element of elements) readParts(element, reading);
};

const readAssignmentArgument = (node: Assignment, reading: Reading): Word => {
  reading.cover(node);
  if (node.index !== undefined)
    reading.refuse("expansion", "has a subscript that is evaluated, which can run commands", node);
  if (node.value.type === "Word") readParts(node.value, reading);
  else reading.refuse("construct", "is a list of values", node);
  return wordOf(node.text, undefined);
};

const readRedirection = (node: Redirection, reading: Reading): void => {
  if (node.descriptor?.type === "FileDescriptorVariable")
    reading.refuse("construct", "stores a file descriptor in a variable", node);
  reading.cover(node, true);
  switch (node.type) {
    case "HereDoc":
      return readHereDocument(node, reading);
    case "HereString":
      if (node.target === undefined) return reading.refuse("parse-error", "lacks its text", node);
      readParts(node.target, reading);
      return;
    case "Redirect":
      return readFile(node, reading);
    default:
      return reading.refuse("construct", "is an unknown redirection", node);
  }
};

const descriptor = /^(?:\d+-?|-)$/;
/** After `>&` a dash ends the operator, and a number may or may not: only what reads one way is read. */
const certainDuplicate = /^(?:\d+-?|-|[A-Za-z_./][\w./-]*)$/;

/** `< <(…)` and `> >(…)`: what is opened is a pipe to commands that are read like all others. */
const isOwnPipe = (operator: string, { parts, end }: ParsedWord, source: string): boolean => {
  const [part, ...others] = parts ?? [];
  const endsWord = /^[\s;&|)]?$/.test(source.slice(end, end + 1));
  return (
    part?.type === "ProcessSubstitution" && others.length === 0 && part.operator === operator && endsWord
  );
};

const readFile = (node: Redirect, reading: Reading): void => {
  if (node.target === undefined) return reading.refuse("parse-error", "lacks its target", node);
  readParts(node.target, reading);
  if (isOwnPipe(node.operator, node.target, reading.source)) return;
  const target = literal(node.target.text);
  const duplicates = node.operator === ">&" || node.operator === "<&";
  if (target === undefined || (duplicates && !certainDuplicate.test(node.target.text)))
    return reading.refuse("expansion", "opens a file whose name only the shell knows", node);
  if (duplicates && descriptor.test(target)) return;
  const access = node.operator === "<>" ? "read-write" : node.operator.startsWith("<") ? "read" : "write";
  const text = reading.source.slice(node.pos, node.end);
  reading.add({ kind: "file", access, target, text, at: node.pos });
};

/** Where a here-document ends decides what is data and what runs, so only the plain spelling is read. */
const readHereDocument = ({ delimiter, closing, body, pos, end }: HereDoc, reading: Reading): void => {
  const refuse = (message: string): void => reading.refuse("construct", message, { pos, end });
  const isPlain = delimiter !== undefined && /^(?:\w+|'[\w-]+'|"[\w-]+"|\\\w+)$/.test(delimiter.text);
  const after = closing === undefined ? "" : (reading.source[closing.end] ?? "\n");
  if (!isPlain || closing === undefined || after !== "\n")
    return refuse("is a here-document whose end is not certain");
  reading.cover({ pos: body.pos, end: closing.end } satisfies Range, true, "body");
  if (delimiter.quoted) return;
  if (body.text.includes("\\\n")) return refuse("is a here-document with continued lines");
  readParts(body, reading);
};

const readTest = (expression: TestExpression, reading: Reading): void => {
  switch (expression.type) {
    case "TestUnary":
      if (/^-[vR]$/.test(expression.operator) && !/^\w+$/.test(expression.operand.text))
        reading.refuse("expansion", "tests a name that is evaluated, which can run commands", expression);
      return void readParts(expression.operand, reading);
    case "TestBinary": {
      const operands = [expression.left, expression.right];
      readParts(expression.left, reading);
      readParts(expression.right, reading, expression.operator === "=~" ? "document" : "bare");
      const compares = /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator);
      if (compares && !operands.every(({ text }) => wholeNumber.test(text)))
        refuseArithmetic("$", expression, reading);
      return;
    }
    case "TestLogical":
      for (const operand of expression.operands) readTest(operand, reading);
      return;
    case "TestNot":
      return readTest(expression.operand, reading);
    case "TestGroup":
      return readTest(expression.expression, reading);
    default:
      return reading.refuse("construct", "is an unknown test", { pos: 0, end: reading.source.length });
  }
};
