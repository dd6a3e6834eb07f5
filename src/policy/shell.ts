/** Command text → everything in it that would run, be assigned, or be opened by the shell itself. */

import { parse } from "unbash";
import type {
  Assignment,
  Command,
  HereDoc,
  ParameterExpansionPart,
  ParsedScript,
  Redirection,
  SyntaxNode,
  TestExpression,
  Word as ParsedWord,
  WordPart,
} from "unbash";
import { isProtectedWord } from "./protected-path.ts";
import { misusedBuiltin } from "./shell-builtins.ts";
import { literal } from "./shell-word.ts";

export type Word = {
  readonly text: string;
  /** As the program will receive it; undefined if only the shell can tell. */
  readonly literal: string | undefined;
};

export type UnmatchableReason = "parse-error" | "expansion" | "construct" | "too-long" | "protected-path";

/** `text` is the source of the part and `at` where it stands. */
export type Part = { readonly text: string; readonly at: number } & (
  | { readonly kind: "command"; readonly name: string; readonly words: readonly Word[] }
  | { readonly kind: "assignment"; readonly name: string; readonly value: string | undefined }
  | { readonly kind: "file"; readonly access: "read" | "write" | "read-write"; readonly target: string }
  | { readonly kind: "unmatchable"; readonly reason: UnmatchableReason; readonly message: string }
);

/** More than the kernel passes to a shell in one argument. */
export const longestText = 128 * 1024;

const forbiddenCharacters =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

const executableName = /^[\w.+@%:,/-]+$/;

/** Names that no program gives a meaning to: loops may set them. */
const loopVariable =
  /^(?!.*_proxy$|npm_|histchars$|auto_resume$)[a-z][a-z0-9_]*$|^[A-Z]$|^(?:FILE|DIR|NAME|LINE|ITEM)$/;

const numbersOnly = /^[\d\s+*/%()<>=!&|^~?:,-]*$/;
const wholeNumber = /^\s*-?\d+$/;

const codeInLiteral = (text: string): boolean =>
  /[$`]/.test(text) && /`|\$[({[]/.test(text.replace(/\\[^]/g, ""));

class Walk {
  readonly parts: Part[] = [];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  script(script: ParsedScript | undefined, at: number): void {
    if (script === undefined || script.source !== undefined)
      return this.#refuse("construct", "is nested in a way that cannot be read reliably", at, at);
    const [error] = script.errors ?? [];
    if (error !== undefined)
      this.#refuse("parse-error", `is not valid Bash (${error.message})`, error.pos, script.end);
    for (const statement of script.commands) this.#node(statement);
  }

  #refuse(reason: UnmatchableReason, message: string, at: number, end: number): void {
    this.parts.push({ kind: "unmatchable", reason, message, text: this.#source.slice(at, end), at });
  }

  #refuseNode(reason: UnmatchableReason, message: string, node: { pos: number; end: number }): void {
    this.#refuse(reason, message, node.pos, node.end);
  }

  #nodes(nodes: readonly SyntaxNode[]): void {
    for (const node of nodes) this.#node(node);
  }

  #node(node: SyntaxNode): void {
    switch (node.type) {
      case "Statement":
        return this.#node(node.command);
      case "CompoundList":
      case "AndOr":
        return this.#nodes(node.commands);
      case "Pipeline":
        return this.#nodes(node.commands);
      case "Command":
        return this.#command(node);
      case "Redirected":
        this.#node(node.command);
        for (const redirect of node.redirects) this.#redirection(redirect);
        return;
      case "Subshell":
      case "BraceGroup":
        return this.#node(node.body);
      case "If":
        return this.#nodes([node.clause, node.then, ...node.elif, ...(node.else ? [node.else] : [])]);
      case "Elif":
        return this.#nodes([node.clause, node.then]);
      case "While":
        return this.#nodes([node.clause, node.body]);
      case "For":
      case "Select":
        if (!loopVariable.test(node.name.text))
          this.#refuseNode("construct", "is a variable that a loop may not set", node.name);
        for (const word of node.wordlist ?? []) this.#word(word);
        return this.#node(node.body);
      case "Case":
        this.#word(node.word);
        for (const item of node.items) {
          for (const pattern of item.pattern) this.#word(pattern);
          this.#node(item.body);
        }
        return;
      case "Function":
        if (!executableName.test(node.name.text))
          this.#refuseNode("construct", "is not a plain function name", node.name);
        return this.#node(node.body);
      case "TestCommand":
        return this.#test(node.expression);
      case "ArithmeticCommand":
        return this.#arithmetic(node.body, node);
      default:
        return this.#refuseNode("construct", `is a construct that cannot be decided (${node.type})`, node);
    }
  }

  #command(node: Command): void {
    const at = this.parts.length;
    for (const item of node.prefix)
      if (item.type === "Assignment") this.#assignment(item);
      else this.#redirection(item);
    const words: Word[] = [];
    if (node.name !== undefined) words.push(this.#word(node.name));
    for (const item of node.suffix)
      if (item.type === "Word") words.push(this.#word(item));
      else if (item.type === "Assignment") words.push(this.#assignmentArgument(item));
      else this.#redirection(item);
    if (node.name === undefined) {
      if (node.suffix.some((item) => item.type === "Word" || item.type === "Assignment"))
        this.#refuseNode("construct", "has arguments but no command", node);
      return;
    }
    const name = node.name.text === "[" ? "[" : words[0]!.literal;
    if (name === undefined || !(name === "[" || executableName.test(name)))
      return this.#refuseNode("expansion", "is not a plain command name", node.name);
    const misuse = misusedBuiltin(name, words.slice(1));
    if (misuse !== undefined) this.#refuseNode("expansion", misuse, node);
    const text = this.#source.slice(node.pos, node.end);
    this.parts.splice(at, 0, { kind: "command", name, words, text, at: node.pos });
  }

  #assignment(node: Assignment): void {
    const simple = node.value.type === "Word" && node.append !== true && node.index === undefined;
    const value = node.value.type === "Word" && simple ? this.#word(node.value).literal : undefined;
    if (!simple) this.#assignmentArgument(node);
    this.parts.push({ kind: "assignment", name: node.name, value, text: node.text, at: node.pos });
  }

  #assignmentArgument(node: Assignment): Word {
    if (node.index !== undefined) this.#word(node.index);
    if (node.value.type === "Word") this.#word(node.value);
    else for (const element of node.value.elements) this.#word(element);
    return { text: node.text, literal: literal(node.text) };
  }

  #redirection(node: Redirection): void {
    if (node.descriptor?.type === "FileDescriptorVariable")
      this.#refuseNode("construct", "stores a file descriptor in a variable", node);
    switch (node.type) {
      case "HereDoc":
        return this.#hereDocument(node);
      case "HereString":
        if (node.target === undefined) return this.#refuseNode("parse-error", "lacks its text", node);
        this.#word(node.target);
        return;
      case "Redirect": {
        if (node.target === undefined) return this.#refuseNode("parse-error", "lacks its target", node);
        const target = this.#word(node.target).literal;
        if (target === undefined)
          return this.#refuseNode("expansion", "opens a file whose name only the shell knows", node);
        const duplicates = node.operator === ">&" || node.operator === "<&";
        if (duplicates && /^(?:\d+-?|-)$/.test(target)) return;
        const access =
          node.operator === "<>" ? "read-write" : node.operator.startsWith("<") ? "read" : "write";
        this.parts.push({
          kind: "file",
          access,
          target,
          text: this.#source.slice(node.pos, node.end),
          at: node.pos,
        });
        return;
      }
      default:
        return this.#refuseNode("construct", "is an unknown redirection", node);
    }
  }

  /** Where a here-document ends decides what is data and what runs, so only the plain spelling is read. */
  #hereDocument(node: HereDoc): void {
    const { delimiter, closing, body } = node;
    if (
      delimiter === undefined ||
      closing === undefined ||
      !/^(?:\w+|'\w+'|"\w+"|\\\w+)$/.test(delimiter.text)
    )
      return this.#refuseNode("construct", "is a here-document whose end is not certain", node);
    const after = this.#source[closing.end];
    if (after !== undefined && after !== "\n")
      return this.#refuseNode("construct", "is a here-document whose end is not certain", node);
    if (delimiter.quoted) return;
    if (body.text.includes("\\\n"))
      return this.#refuseNode("construct", "is a here-document with continued lines", node);
    if (body.parts === undefined) this.#literalText(body.text, body);
    else for (const part of body.parts) this.#part(part);
  }

  #word(word: ParsedWord): Word {
    if (isProtectedWord(word.text))
      this.#refuseNode("protected-path", "names a pseudo-file that holds the secrets of processes", word);
    const parts = word.parts;
    if (parts === undefined) this.#literalText(word.text, word);
    else for (const part of parts) this.#part(part);
    return { text: word.text, literal: literal(word.text) };
  }

  /** A guard against the parser: literal text never contains what Bash would still run. */
  #literalText(text: string, node: { pos: number; end: number }): void {
    if (codeInLiteral(text)) this.#refuseNode("construct", "cannot be read reliably", node);
  }

  #part(part: WordPart): void {
    switch (part.type) {
      case "SingleQuoted":
      case "AnsiCQuoted":
      case "SimpleExpansion":
        return;
      case "Literal":
        return this.#literalText(part.text, part);
      case "DoubleQuoted":
        for (const child of part.parts) this.#part(child);
        return;
      case "Glob":
      case "BraceExpansion":
        if (part.parts === undefined) return this.#literalText(part.text, part);
        for (const child of part.parts) this.#part(child);
        return;
      case "ParameterExpansion":
        return this.#parameter(part);
      case "CommandExpansion":
        if (part.text.startsWith("`") && part.text.includes("\\"))
          this.#refuseNode("construct", "has escapes inside backticks; use $(…)", part);
        return this.script(part.script, part.pos);
      case "ProcessSubstitution":
        return this.script(part.script, part.pos);
      case "ArithmeticExpansion":
        return this.#arithmetic(/^\$\(\(([^]*)\)\)$/.exec(part.text)?.[1] ?? "$", part);
      default:
        return this.#refuseNode("construct", `is an expansion that cannot be decided (${part.type})`, part);
    }
  }

  /** Arithmetic evaluates the text of variables, and that text may run commands: only numbers are certain. */
  #arithmetic(text: string, node: { pos: number; end: number }): void {
    if (!numbersOnly.test(text))
      this.#refuseNode("expansion", "is arithmetic on more than numbers, which can run commands", node);
  }

  #parameter(part: ParameterExpansionPart): void {
    const refuse = (message: string): void => this.#refuseNode("expansion", message, part);
    if (part.prefix === "!") refuse("expands a name that only the shell knows");
    if (part.index !== undefined && !/^(?:[@*]|\d+)$/.test(part.index.text))
      refuse("has a subscript that is evaluated, which can run commands");
    const { operation } = part;
    if (operation === undefined) return;
    switch (operation.type) {
      case "Default":
        if (operation.operator.endsWith("=")) refuse("assigns to a variable");
        this.#word(operation.operand);
        return;
      case "Remove":
        this.#word(operation.operand);
        return;
      case "Replace":
        this.#word(operation.pattern);
        this.#word(operation.replacement);
        return;
      case "CaseModification":
        if (operation.operand !== undefined) this.#word(operation.operand);
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
  }

  #test(expression: TestExpression): void {
    switch (expression.type) {
      case "TestUnary":
        if (/^-[vR]$/.test(expression.operator) && !/^\w+$/.test(expression.operand.text))
          this.#refuseNode("expansion", "tests a name that is evaluated, which can run commands", expression);
        this.#word(expression.operand);
        return;
      case "TestBinary":
        if (
          /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator) &&
          ![expression.left, expression.right].every((word) => wholeNumber.test(word.text))
        )
          this.#arithmetic("$", expression);
        this.#word(expression.left);
        this.#word(expression.right);
        return;
      case "TestLogical":
        for (const operand of expression.operands) this.#test(operand);
        return;
      case "TestNot":
        return this.#test(expression.operand);
      case "TestGroup":
        return this.#test(expression.expression);
      default:
        return this.#refuse("construct", "is an unknown test", 0, this.#source.length);
    }
  }
}

const refusal = (reason: UnmatchableReason, message: string, text: string, at = 0): Part[] => [
  { kind: "unmatchable", reason, message, text, at },
];

/** Every part of the text, in source order. One part that is not approved is enough to refuse the whole. */
export const shellParts = (text: string): Part[] => {
  if (text.length > longestText || Buffer.byteLength(text) > longestText)
    return refusal("too-long", `is longer than ${longestText / 1024} KiB`, text.slice(0, 80));
  const control = forbiddenCharacters.exec(text);
  if (control !== null)
    return refusal(
      "construct",
      "contains control characters",
      text.slice(control.index, control.index + 1),
      control.index,
    );
  const walk = new Walk(text);
  try {
    walk.script(parse(text), 0);
  } catch {
    return refusal("parse-error", "is nested too deeply to be read", text.slice(0, 80));
  }
  if (walk.parts.length === 0) return refusal("parse-error", "contains no command", text);
  return walk.parts;
};
