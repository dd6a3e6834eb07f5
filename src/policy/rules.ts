/** Entries of an allow list → typed rules, and what is odd about them. */

import { Failure } from "../errors.ts";
import { diagnose } from "./diagnose.ts";
import type { Diagnostic } from "./diagnose.ts";
import { parseUrl } from "../parse-url.ts";

export type { Diagnostic } from "./diagnose.ts";

export type FileAccess = "read" | "write";

/** `text` is the entry as it was written. */
export type Rule = { readonly text: string } & (
  | { readonly kind: FileAccess; readonly glob?: string }
  | { readonly kind: "web_fetch"; readonly host?: string }
  | { readonly kind: "shell" }
  | { readonly kind: "shell-words"; readonly words: readonly string[]; readonly exact: boolean }
  | { readonly kind: "shell-text"; readonly command: string }
  | { readonly kind: "server-or-tool"; readonly name: string }
  | { readonly kind: "server-tool"; readonly server: string; readonly tool: string }
);

export type Policy =
  | { readonly mode: "default" }
  | { readonly mode: "allow-all" }
  | { readonly mode: "scoped"; readonly rules: readonly Rule[] };

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

const shellRule = (text: string, rule: string): Rule | undefined => {
  if (rule === "" || rule === "*") return undefined;
  if (rule.endsWith(":*")) {
    const words = wordsOf(rule.slice(0, -2));
    return words.length === 0 ? undefined : { kind: "shell-words", text, words, exact: false };
  }
  return /\s/.test(rule)
    ? { kind: "shell-text", text, command: rule }
    : { kind: "shell-words", text, words: [rule], exact: true };
};

const hostPattern = /^(\*\.)?((?:[^\s\p{P}\p{S}]|[._-])+|\[[\da-f:.]+\])(:\d{1,5})?$/iu;

/** The host as addresses spell it once they are parsed: lower case, Punycode, no dot at the end. */
const hostOf = (argument: string): string | undefined => {
  const [, below = "", name = "", port = ""] = hostPattern.exec(argument) ?? [];
  const { hostname = "" } = parseUrl(`http://${name}`) ?? {};
  return hostname === "" ? undefined : `${below}${hostname.replace(/\.$/, "")}${port}`;
};

const ruleWithArgument = (text: string, name: string, argument: string): Rule | undefined => {
  switch (name) {
    case "read":
    case "write":
      return argument === "" ? undefined : { kind: name, text, glob: argument };
    case "web_fetch": {
      const host = hostOf(argument);
      return host === undefined ? undefined : { kind: "web_fetch", text, host };
    }
    case "shell":
      return shellRule(text, argument);
    default:
      return argument === "" || argument === "*" || name === "" || name.endsWith(" ")
        ? undefined
        : { kind: "server-tool", text, server: name, tool: argument };
  }
};

const ruleOf = (text: string): Rule | undefined => {
  const open = text.indexOf("(");
  if (open !== -1)
    return text.endsWith(")")
      ? ruleWithArgument(text, text.slice(0, open), text.slice(open + 1, -1).trim())
      : undefined;
  if (text.includes(")")) return undefined;
  switch (text) {
    case "read":
    case "write":
    case "web_fetch":
    case "shell":
      return { kind: text, text };
    default:
      return { kind: "server-or-tool", text, name: text };
  }
};

const normalize = (entries: readonly unknown[]): string[] => [
  ...new Set(
    entries
      .filter((entry) => typeof entry === "string")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ""),
  ),
];

export const parseRules = (entries: readonly unknown[]): { rules: Rule[]; diagnostics: Diagnostic[] } => {
  const rules: Rule[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const entry of normalize(entries)) {
    const rule = ruleOf(entry);
    if (rule !== undefined) rules.push(rule);
    diagnostics.push(...diagnose(entry, rule));
  }
  return { rules, diagnostics };
};

/** The effective policy of a permission configuration; one that is present but malformed is never a wider policy. */
export const policyOf = (config: unknown): { policy: Policy; diagnostics: Diagnostic[] } => {
  if (config === undefined || config === null) return { policy: { mode: "default" }, diagnostics: [] };
  if (typeof config !== "object" || Array.isArray(config))
    throw new Failure("configuration", "The permission configuration must be an object.");
  const { allowAllTools, allowedTools } = config as Record<string, unknown>;
  if (allowAllTools !== undefined && allowAllTools !== null && typeof allowAllTools !== "boolean")
    throw new Failure("configuration", "allowAllTools must be true or false.");
  if (allowedTools !== undefined && allowedTools !== null && !Array.isArray(allowedTools))
    throw new Failure("configuration", "allowedTools must be a list of strings.");
  const entries: readonly unknown[] = allowedTools ?? [];
  const { rules, diagnostics } = parseRules(entries);
  if (allowAllTools === true) return { policy: { mode: "allow-all" }, diagnostics };
  if (normalize(entries).length === 0) return { policy: { mode: "default" }, diagnostics };
  return { policy: { mode: "scoped", rules }, diagnostics };
};
