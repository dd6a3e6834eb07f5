/** What is odd about one entry of an allow list. */

import { oddityOf } from "./odd-rules.ts";
import type { Oddity } from "./odd-rules.ts";
import { whyAnyProgramOf } from "./risky-programs.ts";
import type { Rule } from "./rules.ts";

export type Diagnostic = {
  readonly entry: string;
  readonly code: "matches-nothing" | "other-dialect" | "runs-any-program" | "runtime-tool";
  readonly message: string;
  /** The entry that was probably meant. */
  readonly suggestion?: string;
};

/** Names that other agents give to permissions, and ours. */
const dialects: ReadonlyMap<string, string> = new Map([
  ["bash", "shell"],
  ["sh", "shell"],
  ["execute", "shell"],
  ["terminal", "shell"],
  ["run", "shell"],
  ["edit", "write"],
  ["multiedit", "write"],
  ["notebookedit", "write"],
  ["create", "write"],
  ["view", "read"],
  ["glob", "read"],
  ["grep", "read"],
  ["ls", "read"],
  ["webfetch", "web_fetch"],
  ["websearch", "web_fetch"],
  ["web-fetch", "web_fetch"],
  ["fetch", "web_fetch"],
  ["url", "web_fetch"],
  ["shell", "shell"],
  ["read", "read"],
  ["write", "write"],
  ["web_fetch", "web_fetch"],
]);

/** Tools of the runtime itself: they ask for read, write or shell, never under their own name. */
const runtimeTools: ReadonlySet<string> = new Set(["bash", "view", "create", "edit", "grep", "glob"]);

const suggestIn = (dialect: string, argument: string | undefined): string => {
  if (argument === undefined) return dialect;
  if (dialect === "shell") return `shell(${argument.replace(/\s+\*$/, ":*")})`;
  if (dialect === "web_fetch") return `web_fetch(${argument.replace(/^domain:/, "")})`;
  return `${dialect}(${argument})`;
};

const otherDialect = (entry: string): Diagnostic | undefined => {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(entry);
  if (mcp !== null) {
    const suggestion = mcp[2] === "*" ? mcp[1]! : `${mcp[1]}(${mcp[2]})`;
    return dialectOf(entry, suggestion);
  }
  const [, name = "", argument] = /^([^()]*)(?:\((.*)\))?$/s.exec(entry) ?? [];
  const ours = dialects.get(name.toLowerCase());
  if (ours === undefined || ours === name) return undefined;
  const suggestion = suggestIn(ours, argument);
  if (runtimeTools.has(name) && argument === undefined)
    return {
      entry,
      code: "runtime-tool",
      message: `\`${entry}\` is a tool of the runtime; it asks for the permission \`${ours}\`.`,
      suggestion,
    };
  return dialectOf(entry, suggestion);
};

const dialectOf = (entry: string, suggestion: string): Diagnostic => ({
  entry,
  code: "other-dialect",
  message: `\`${entry}\` looks like the entry of another tool; here it only names an MCP server or a tool.`,
  suggestion,
});

/** Never a wider entry than the one that was written. */
const hostOnly = (entry: string): string | undefined => {
  const [, host] =
    /^web_fetch\((?:https?:\/\/)?((?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::\d+)?)(?::\*)?(?:[/?#].*)?\)$/i.exec(
      entry,
    ) ?? [];
  if (host !== undefined) return `web_fetch(${host})`;
  const [, below] = /^web_fetch\(\*([\w-]+(?:\.[\w-]+)+)\)$/.exec(entry) ?? [];
  return below === undefined ? undefined : `web_fetch(*.${below})`;
};

/** `shell(git):*` and `shell(git` with the parenthesis where it belongs. */
const balanced = (entry: string): string | undefined => {
  if (entry.endsWith(":*):*")) return entry.slice(0, -2);
  if (entry.includes("):*")) return entry.replace("):*", ":*)");
  return entry.includes("(") ? `${entry})` : undefined;
};

const withSuggestion = (why: string, suggestion: string | undefined): Oddity => ({
  why,
  ...(suggestion !== undefined && { suggestion }),
});

const whyNothing = (entry: string): Oddity => {
  if (entry.includes("(") !== entry.endsWith(")"))
    return withSuggestion("its parentheses are not balanced", balanced(entry));
  const name = entry.slice(0, entry.indexOf("("));
  if (name.endsWith(" "))
    return { why: "a space stands before its parenthesis", suggestion: entry.replace(/\s+\(/, "(") };
  if (name === "shell") return { why: "it names no command" };
  if (name === "web_fetch") return withSuggestion("its argument is not a host name", hostOnly(entry));
  if (name === "read" || name === "write") return { why: "it names no path", suggestion: name };
  return { why: "it names no tool", ...(name === "" ? {} : { suggestion: name }) };
};

const matchesNothing = (entry: string, why: string, suggestion?: string): Diagnostic => ({
  entry,
  code: "matches-nothing",
  message: `\`${entry}\` can match nothing: ${why}.`,
  ...(suggestion === undefined ? {} : { suggestion }),
});

const oddRule = (rule: Rule): Diagnostic | undefined => {
  const odd = oddityOf(rule);
  if (odd !== undefined) return matchesNothing(rule.text, odd.why, odd.suggestion);
  const why = rule.kind === "shell-words" ? whyAnyProgramOf(rule.words) : undefined;
  if (why === undefined) return undefined;
  return {
    entry: rule.text,
    code: "runs-any-program",
    message: `\`${rule.text}\` grants the execution of any program: ${why}.`,
  };
};

export const diagnose = (entry: string, rule: Rule | undefined): Diagnostic[] => {
  if (rule === undefined) {
    const { why, suggestion } = whyNothing(entry);
    return [matchesNothing(entry, why, suggestion)];
  }
  return [otherDialect(entry), oddRule(rule)].filter((diagnostic) => diagnostic !== undefined);
};

export const describeDiagnostic = ({ message, suggestion }: Diagnostic): string =>
  suggestion === undefined ? message : `${message} Perhaps \`${suggestion}\`?`;

/** An entry that does not do what it says; one that only grants more than it seems to is none. */
export const isMistake = ({ entry, code }: Diagnostic, mcpServers: readonly string[] = []): boolean =>
  code === "matches-nothing" ||
  (code !== "runs-any-program" && !mcpServers.includes(entry.replace(/\(.*\)$/s, "")));
