/** The smallest list of entries that would have approved what was denied, and what else each would grant. */

import { relative, isAbsolute, sep } from "node:path";
import { decide } from "./decide.ts";
import type { Decision } from "./decide.ts";
import type { ResolveLinks } from "./files.ts";
import { describeEntry } from "./entry-grants.ts";
import type { Suggestion } from "./entry-grants.ts";
import { whyAnyProgram } from "./risky-programs.ts";
import { parseRules } from "./rules.ts";
import { shellParts } from "./shell.ts";
import type { Part } from "./shell.ts";
import { parseUrl } from "../parse-url.ts";

export type { Suggestion } from "./entry-grants.ts";

export type Suggested = {
  readonly suggestions: readonly Suggestion[];
  /** Requests that no entry would approve, with the reason; only `allowAllTools` or bare `shell` could. */
  readonly hopeless: readonly { readonly request: unknown; readonly decision: Decision }[];
};

type Request = Readonly<Record<string, unknown>>;

type Context = {
  readonly workspace: string;
  readonly given: readonly string[];
  readonly links: ResolveLinks | undefined;
};

const isRecord = (value: unknown): value is Request =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textField = (request: Request, key: string): string | undefined => {
  const value = Object.hasOwn(request, key) ? request[key] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

/** Whoever pastes an entry must see all of it: no line breaks, no invisible or reordering characters. */
const isPlain = (entry: string): boolean =>
  entry.length <= 300 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(entry);

const subcommand = /^[a-z][\w.:-]*$/i;

/** Programs that do many things are allowed by their verb: `git log`, not all of `git`. */
const commandEntry = ({ name, words }: Extract<Part, { kind: "command" }>): string => {
  const verb = words[1]?.literal;
  const isVerb = verb !== undefined && subcommand.test(verb) && !verb.includes("/");
  return whyAnyProgram(name) !== undefined && isVerb ? `shell(${name} ${verb}:*)` : `shell(${name}:*)`;
};

const pathEntry = (access: string, path: string, workspace: string): string => {
  const inside = isAbsolute(path) ? relative(workspace, path) : path.replace(/^\.\//, "");
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (inside === "") return `${access}(**)`;
  return `${access}(${isOutside ? path : inside.split(sep).join("/")})`;
};

/** What each part of a command needs; nothing if there is a part that no such entry can match. */
const shellEntries = (text: string, workspace: string): string[][] => {
  const parts = shellParts(text);
  if (parts.some(({ kind }) => kind === "unmatchable")) return [];
  const entries = parts.flatMap((part) => {
    if (part.kind === "command") return [commandEntry(part)];
    if (part.kind !== "file") return [];
    const accesses = part.access === "read-write" ? ["read", "write"] : [part.access];
    return accesses.map((access) => pathEntry(access, part.target, workspace));
  });
  return [[...new Set(entries)]];
};

/** An entry for a text that is no Bash would only repeat the mistake. */
const isInvalid = (text: string): boolean =>
  shellParts(text).some((part) => part.kind === "unmatchable" && part.reason === "parse-error");

/** Lists of entries to try for a request, the narrowest that is of use beyond this one text first. */
const attempts = (request: Request, workspace: string): string[][] => {
  switch (request.kind) {
    case "read":
    case "write": {
      const path = textField(request, request.kind === "read" ? "path" : "fileName");
      if (path === undefined) return [];
      const entry = pathEntry(request.kind, path, workspace);
      const folder = request.kind === "read" ? [[entry.replace(/\/*\)$/, "/**)")]] : [];
      return [[entry], ...folder, [request.kind]];
    }
    case "url": {
      const url = parseUrl(textField(request, "url") ?? "");
      return url ? [[`web_fetch(${url.host})`], ["web_fetch"]] : [];
    }
    case "custom-tool": {
      const tool = textField(request, "toolName");
      return tool === undefined ? [] : [[tool]];
    }
    case "mcp": {
      const server = textField(request, "serverName");
      const tool = textField(request, "toolName");
      if (server === undefined || tool === undefined) return [];
      const bare = tool.startsWith(`${server}-`) ? tool.slice(server.length + 1) : tool;
      return [[`${server}(${bare})`], [server]];
    }
    case "shell": {
      const text = textField(request, "fullCommandText");
      if (text === undefined || isInvalid(text)) return [];
      return [...shellEntries(text, workspace), [`shell(${text.trim()})`]];
    }
    default:
      return [];
  }
};

const decideWith = (entries: readonly string[], request: unknown, context: Context): Decision =>
  decide(
    { mode: "scoped", rules: parseRules([...context.given, ...entries]).rules },
    request,
    context.workspace,
    context.links,
  );

const approves = (entries: readonly string[], request: unknown, context: Context): boolean =>
  decideWith(entries, request, context).decision === "approve";

/** The entries of an attempt that are really needed for this request. */
const needed = (entries: readonly string[], request: unknown, context: Context): string[] =>
  entries.reduce<string[]>(
    (kept, entry) => {
      const without = kept.filter((other) => other !== entry);
      return approves(without, request, context) ? without : kept;
    },
    [...entries],
  );

/** A command that needs more is a script: nobody allows it piece by piece. */
const mostEntries = 20;

const entriesFor = (request: unknown, context: Context): string[] | undefined => {
  if (!isRecord(request)) return undefined;
  const works = attempts(request, context.workspace).find(
    (entries) =>
      entries.length <= mostEntries && entries.every(isPlain) && approves(entries, request, context),
  );
  return works && needed(works, request, context);
};

const fewFiles = 3;

/** Many single files of the workspace become one entry for the workspace. */
const gatherFiles = (entries: readonly string[], access: "read" | "write"): string[] => {
  const isOwn = (entry: string): boolean =>
    entry.startsWith(`${access}(`) && !entry.startsWith(`${access}(/`);
  return entries.filter(isOwn).length > fewFiles
    ? [`${access}(**)`, ...entries.filter((entry) => !isOwn(entry))]
    : [...entries];
};

export const suggest = (
  requests: readonly unknown[],
  options: { workspace: string; given?: readonly string[]; links?: ResolveLinks },
): Suggested => {
  const context: Context = { workspace: options.workspace, given: options.given ?? [], links: options.links };
  const hopeless: { request: unknown; decision: Decision }[] = [];
  const helped: unknown[] = [];
  const found = new Set<string>();
  for (const request of requests) {
    const known = found.size + context.given.length > 0 && approves([...found], request, context);
    const entries = known ? [] : entriesFor(request, context);
    if (entries === undefined) hopeless.push({ request, decision: decideWith([...found], request, context) });
    else {
      helped.push(request);
      for (const entry of entries) found.add(entry);
    }
  }
  const gathered = gatherFiles(gatherFiles([...found], "read"), "write");
  const smallest = gathered.reduce((kept, entry) => {
    const without = kept.filter((other) => other !== entry);
    return helped.every((request) => approves(without, request, context)) ? without : kept;
  }, gathered);
  return { suggestions: smallest.map(describeEntry), hopeless };
};
