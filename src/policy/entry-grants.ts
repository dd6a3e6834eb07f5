/** What an entry of an allow list grants, in words, and why to think twice about it. */

import { isAbsolute } from "node:path";
import { isInterpreter, whyAnyProgram } from "./risky-programs.ts";
import { parseRules } from "./rules.ts";
import type { Rule } from "./rules.ts";
import { shellParts } from "./shell.ts";
import type { Part } from "./shell.ts";

export type Suggestion = {
  readonly entry: string;
  /** What the entry allows, beyond what was denied. */
  readonly grants: string;
  /** Why to think twice. */
  readonly danger?: string;
};

const grantsOf = (rule: Rule): string => {
  switch (rule.kind) {
    case "read":
      return rule.glob === undefined ? "Reading any file of the machine." : readable("Reading", rule.glob);
    case "write":
      return rule.glob === undefined ? "Writing any file of the machine." : readable("Writing", rule.glob);
    case "web_fetch":
      return rule.host === undefined
        ? "Fetching from any public host."
        : `Fetching anything from ${rule.host}.`;
    case "shell":
      return "Any command.";
    case "shell-words":
      return `\`${rule.words.join(" ")}\` with any arguments, alone or beside other allowed commands.`;
    case "shell-text":
      return "This exact command and nothing else.";
    case "server-or-tool":
      return `Every tool of the MCP server \`${rule.name}\`, or the custom tool of that name.`;
    case "server-tool":
      return `The tool \`${rule.tool}\` of \`${rule.server}\`, with any arguments.`;
  }
};

const readable = (what: string, glob: string): string => {
  if (glob === "**") return `${what} every file of the workspace.`;
  return /[*?]/.test(glob)
    ? `${what} files that match ${glob}.`
    : `${what} this file, whatever is in it by then.`;
};

/** Files that make something run later. */
const runsLater =
  /(?:^|\/)(?:\.git|\.github|\.husky)(?:\/|$)|(?:^|\/)(?:package\.json|Makefile|\.npmrc|\.envrc)$/;

const reachesOut = new Set(
  "curl wget nc ncat netcat socat telnet ftp sftp aria2c http https dig nslookup".split(" "),
);
const destroys = new Set("rm rmdir shred dd truncate mv chmod chown kill pkill killall".split(" "));

const dangerOfProgram = (name: string): string | undefined => {
  const why = whyAnyProgram(name);
  if (why !== undefined) return `\`${name}\` ${why}.`;
  const program = name.slice(name.lastIndexOf("/") + 1);
  if (reachesOut.has(program)) return "it can send data to any host.";
  return destroys.has(program) ? "it can change or remove what no `write` entry covers." : undefined;
};

const dangerOfTarget = (path: string): string | undefined => {
  if (isAbsolute(path)) return "this is outside the workspace.";
  return runsLater.test(path) ? "it can change what hooks, builds and workflows run." : undefined;
};

/** The arguments are known, so what a program could do with others does not count. */
const dangerOfPart = (part: Part): string | undefined => {
  switch (part.kind) {
    case "command":
      return whyAnyProgram(part.name) === undefined || isInterpreter(part.name)
        ? dangerOfProgram(part.name)
        : undefined;
    case "file":
      return part.access === "read" || part.target === "/dev/null" ? undefined : dangerOfTarget(part.target);
    case "assignment":
      return undefined;
    case "unmatchable":
      return "it could not be taken apart, so nobody checked what it runs.";
  }
};

const dangerOfText = (text: string): string | undefined => {
  const parts = shellParts(text);
  const unread = parts.find(({ kind }) => kind === "unmatchable");
  return [...(unread ? [unread] : []), ...parts].map(dangerOfPart).find((danger) => danger !== undefined);
};

const dangerOf = (rule: Rule): string | undefined => {
  switch (rule.kind) {
    case "shell":
      return "it allows every program.";
    case "shell-words":
      return dangerOfProgram(rule.words[0] ?? "");
    case "shell-text":
      return dangerOfText(rule.command);
    case "write":
      if (rule.glob === undefined) return "it allows changing programs and settings outside the workspace.";
      return rule.glob === "**"
        ? "it can change what hooks, builds and workflows run."
        : dangerOfTarget(rule.glob);
    case "read":
      return rule.glob === undefined || isAbsolute(rule.glob)
        ? "files outside the workspace may hold credentials."
        : undefined;
    case "web_fetch":
      return rule.host === undefined ? "data can leave to any host." : undefined;
    default:
      return undefined;
  }
};

export const describeEntry = (entry: string): Suggestion => {
  const [rule] = parseRules([entry]).rules;
  if (rule === undefined) return { entry, grants: "" };
  const danger = dangerOf(rule);
  return { entry, grants: grantsOf(rule), ...(danger !== undefined && { danger }) };
};
