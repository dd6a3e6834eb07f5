import { isRecord, isStringArray, parseJson, type Problems } from "./problems.ts";
import { parseUrl } from "../parse-url.ts";

export type McpServer =
  | {
      type?: "local" | "stdio";
      command: string;
      args?: string[];
      env?: Record<string, string>;
      workingDirectory?: string;
      tools?: string[];
      timeout?: number;
    }
  | {
      type: "http" | "sse";
      url: string;
      headers?: Record<string, string>;
      tools?: string[];
      timeout?: number;
    };

export type McpServers = Record<string, McpServer>;

const isStringRecord = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((item) => typeof item === "string");

const optional = <Value>(key: string, value: unknown, accepts: (value: unknown) => value is Value) =>
  value === undefined ? {} : accepts(value) ? { [key]: value } : undefined;

const isString = (value: unknown): value is string => typeof value === "string";
const isTimeout = (value: unknown): value is number => typeof value === "number" && value > 0;

const readServer = (entry: unknown): McpServer | undefined => {
  if (!isRecord(entry)) return undefined;
  const shared = [
    optional("tools", entry["tools"], isStringArray),
    optional("timeout", entry["timeout"], isTimeout),
  ];
  const remote = isString(entry["url"]) && parseUrl(entry["url"]) !== undefined;
  const parts = remote
    ? [...shared, optional("headers", entry["headers"], isStringRecord)]
    : [
        ...shared,
        optional("args", entry["args"], isStringArray),
        optional("env", entry["env"], isStringRecord),
        optional("workingDirectory", entry["workingDirectory"] ?? entry["cwd"], isString),
      ];
  if (parts.includes(undefined)) return undefined;
  const options = Object.assign({}, ...parts) as Record<string, never>;
  if (remote)
    return { ...options, type: entry["type"] === "sse" ? "sse" : "http", url: entry["url"] as string };
  return isString(entry["command"]) && entry["command"] !== ""
    ? { ...options, command: entry["command"] }
    : undefined;
};

/** `{"mcpServers": {name: {command, args?, env?} | {url, headers?}}}`, the form that every agent's MCP file has. */
export const parseMcpServers = (text: string, source: string, problems: Problems): McpServers => {
  const parsed = parseJson(text, source, problems);
  if (parsed === undefined) return {};
  const servers = isRecord(parsed) ? parsed["mcpServers"] : undefined;
  if (!isRecord(servers)) {
    problems.add(`${source} must hold an object mcpServers`);
    return {};
  }
  const result: McpServers = {};
  for (const [name, entry] of Object.entries(servers)) {
    const server =
      /^[A-Za-z0-9_][\w.-]*$/.test(name) && !(name in Object.prototype) ? readServer(entry) : undefined;
    if (server) result[name] = server;
    else
      problems.add(
        `${source}: server ${JSON.stringify(name)} needs a plain name and a command or a url, with strings in args, env and headers`,
      );
  }
  return result;
};

const secretWord = /(?:token|key|secret|password|passwd|passphrase|auth|authorization|cookie|credential)s?$/i;

/** By whole words, or their ends: `PGPASSWORD` and `x-apiKey`, but neither `AUTHOR` nor `KEYBOARD`. */
const isSecretName = (name: string): boolean =>
  name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).some((word) => secretWord.test(word));

/** What is shorter, or a plain number, also stands in harmless text, which would be masked with it. */
const isSecretValue = (value: string): boolean => value.length >= 8 && !/^[\d.,]+$/.test(value);

/** Header and environment values of MCP servers that are credentials by their name, also without the scheme before them. */
export const secretsOf = (servers: McpServers): string[] => {
  const values = Object.values(servers)
    .flatMap((server) => Object.entries(("url" in server ? server.headers : server.env) ?? {}))
    .filter(([name]) => isSecretName(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, "")]);
  return [...new Set(values.filter(isSecretValue))];
};
