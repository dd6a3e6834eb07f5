/** Rules that are well formed and yet match (almost) nothing: what is probably meant is written otherwise. */

import { whyAnyProgram } from "./risky-programs.ts";
import type { Rule } from "./rules.ts";
import { isOwnHost } from "./urls.ts";

export type Oddity = { readonly why: string; readonly suggestion?: string };

const syntaxWords = new Set(
  "if then elif else fi for while until do done case in esac select function coproc time ! { } [[ ]] ((".split(
    " ",
  ),
);

const isPlainWord = (word: string): boolean => /^[\w.@/-]+$/.test(word);

const severalEntries = (text: string): Oddity | undefined => {
  const first = /^([a-z_]+\([^()]*\))\s*[,;]\s*\w+\(/.exec(text)?.[1];
  return first === undefined ? undefined : { why: "it is several entries in one", suggestion: first };
};

const oddWords = (words: readonly string[], exact: boolean): Oddity | undefined => {
  const [name = ""] = words;
  if (syntaxWords.has(name))
    return { why: `\`${name}\` is syntax of the shell, and what stands inside needs entries of its own` };
  if (!/["'`$\\*?{}<>|&;()]/.test(words.join(""))) return undefined;
  const program = name.replace(/\*+$/, "");
  const suggestion = exact && program !== name && isPlainWord(program) ? `shell(${program}:*)` : undefined;
  return {
    why: "its words are compared literally and contain shell syntax",
    ...(suggestion !== undefined && { suggestion }),
  };
};

const oddText = (command: string): Oddity | undefined => {
  const [, words = ""] = /^(.*\S)\s*\*$/.exec(command) ?? [];
  const isMeant = / \*$/.test(command) || whyAnyProgram(words.split(/\s/)[0] ?? "") !== undefined;
  if (words === "" || !isMeant || !words.split(/\s+/).every(isPlainWord)) return undefined;
  return {
    why: "with a space it is the exact text of a whole command, and no command is written like this",
    suggestion: `shell(${words}:*)`,
  };
};

const oddGlob = (access: string, glob: string): Oddity | undefined => {
  const [, first] = /^([^,{}]+),\s/.exec(glob) ?? [];
  if (first !== undefined)
    return { why: "it is several paths in one; write one entry for each", suggestion: `${access}(${first})` };
  if (/\{[^}]*,[^}]*\}/.test(glob))
    return { why: "braces are compared literally; write one entry for each alternative" };
  if (/\[(?:[!^]|[^\]]-)[^\]]*\]|[\w*?.]\[[^\]]+\]/.test(glob))
    return { why: "brackets are compared literally; write `?` or one entry for each name" };
  if (/^(?:~|\$)/.test(glob)) return { why: "`~` and variables are not expanded; write the whole path" };
  return undefined;
};

const oddHost = (host: string): Oddity | undefined => {
  const port = /:(\d+)$/.exec(host)?.[1];
  if (port !== undefined && Number(port) > 65_535) return { why: "there is no such port" };
  return isOwnHost(host.replace(/^\*\./, "").replace(/:\d+$/, ""))
    ? { why: "`web_fetch` does not reach this machine or its local network link" }
    : undefined;
};

const permissions = new Set(["shell", "read", "write", "web_fetch"]);

const oddName = (name: string): Oddity | undefined => {
  if (name.includes(",")) return { why: "a name has no comma; write one entry per permission" };
  const [, server = "", tool = ""] = /^([\w-]+)[:./](.+)$/.exec(name) ?? [];
  if (permissions.has(server))
    return { why: "its argument stands in parentheses", suggestion: `${server}(${tool})` };
  if (/\s/.test(name)) return { why: "a name has no blank", suggestion: `shell(${name})` };
  if (name.includes("*"))
    return {
      why: "a name is compared literally",
      ...(tool === "*" && { suggestion: server }),
    };
  if (name.includes(":"))
    return { why: "a name has no colon", ...(tool !== "" && { suggestion: `${server}(${tool})` }) };
  return undefined;
};

export const oddityOf = (rule: Rule): Oddity | undefined => {
  const several = severalEntries(rule.text);
  if (several !== undefined) return several;
  switch (rule.kind) {
    case "shell-text":
      return oddText(rule.command);
    case "shell-words":
      return oddWords(rule.words, rule.exact);
    case "read":
    case "write":
      return rule.glob === undefined ? undefined : oddGlob(rule.kind, rule.glob);
    case "web_fetch":
      return rule.host === undefined ? undefined : oddHost(rule.host);
    case "server-or-tool":
      return oddName(rule.name);
    default:
      return undefined;
  }
};
