/** Permission requests of every kind: those that the scripted model provokes, and those that are added on the way. */
import type { ToolCall, Turn } from "../rehearsal/turn.ts";
import type { Answer, PermissionCase, PermissionRequest } from "./traffic.ts";

const bash = (command: string): ToolCall => ({
  name: "bash",
  arguments: { command, description: "Run a command", mode: "sync" },
});

type Matches = (request: PermissionRequest) => boolean;

const shell =
  (command: string): Matches =>
  ({ kind, fullCommandText }) =>
    kind === "shell" && fullCommandText === command;

const ofKind =
  (kind: string): Matches =>
  (request) =>
    request.kind === kind;

const mcp = (serverName: string, tool: string): PermissionRequest => ({
  kind: "mcp",
  toolCallId: `call-${serverName}-${tool}`,
  serverName,
  toolName: `${serverName}-${tool}`,
  toolTitle: tool,
  args: {},
  readOnly: false,
});

const isMcp =
  (serverName: string, tool: string): Matches =>
  (request) =>
    request.kind === "mcp" && request["serverName"] === serverName && request["toolTitle"] === tool;

export const commands = {
  permitted: "git --version",
  sameProgram: "git --exec-path",
  sharesPrefix: "gitea --version",
  chained: "git --version && touch escaped",
  other: "echo hello",
};

/** Every request that a driver meets, by a name for the report. */
const requests = {
  "shell `git --version`": shell(commands.permitted),
  "shell `git --exec-path`": shell(commands.sameProgram),
  "shell `gitea --version`": shell(commands.sharesPrefix),
  "shell `git --version && touch escaped`": shell(commands.chained),
  "shell `echo hello`": shell(commands.other),
  "read README.md": ofKind("read"),
  "write made.txt": ofKind("write"),
  "url https://conformance.invalid/": ofKind("url"),
  "custom-tool lookup": ofKind("custom-tool"),
  "mcp github get_issue": isMcp("github", "get_issue"),
  "mcp github delete_repo": isMcp("github", "delete_repo"),
  "mcp gitlab get_issue": isMcp("gitlab", "get_issue"),
  "kind memory": ofKind("memory"),
  "kind hook": ofKind("hook"),
  "kind from-the-future": ofKind("from-the-future"),
} satisfies Record<string, Matches>;

export type RequestName = keyof typeof requests;
export const requestNames = Object.keys(requests) as RequestName[];

export const provokeAll: readonly Turn[] = [
  {
    toolCalls: [
      ...Object.values(commands).map(bash),
      { name: "view", arguments: { path: "{{workspace}}/README.md" } },
      { name: "create", arguments: { path: "{{workspace}}/made.txt", file_text: "made\n" } },
      { name: "web_fetch", arguments: { url: "https://conformance.invalid/" } },
    ],
  },
  // An agent that insists: what was denied once is denied again.
  { toolCalls: [bash(commands.chained)] },
  { text: "The work is done." },
];

export const injectAll: readonly PermissionRequest[] = [
  {
    kind: "custom-tool",
    toolCallId: "call-lookup",
    toolName: "lookup",
    toolDescription: "Looks up",
    args: {},
  },
  mcp("github", "get_issue"),
  mcp("github", "delete_repo"),
  mcp("gitlab", "get_issue"),
  { kind: "memory", toolCallId: "call-memory", action: "store", subject: "x", fact: "x", citations: "x" },
  { kind: "hook", toolCallId: "call-hook", toolName: "bash", toolArgs: {}, hookMessage: "x" },
  { kind: "from-the-future", toolCallId: "call-future" },
];

export type Verdict = "approved" | "rejected" | "unanswered" | "answered unusably";

/** Kinds that current runtimes take; `approved` and its like end as a denial there. */
const approvals = ["approve-once", "approve-for-session", "approve-for-location", "approve-permanently"];

const isApproval = ({ kind }: Answer): boolean => approvals.includes(kind);

export const verdictOf = ({ answer, refusal }: PermissionCase): Verdict => {
  if (answer === undefined) return "unanswered";
  if (refusal !== undefined) return "answered unusably";
  if (isApproval(answer)) return "approved";
  return answer.kind === "reject" ? "rejected" : "answered unusably";
};

/** A request may be made more than once; the verdict that grants most counts. */
export const verdictOn = (cases: readonly PermissionCase[], name: RequestName): Verdict => {
  const verdicts = cases.filter(({ request }) => requests[name](request)).map(verdictOf);
  return verdicts.find((verdict) => verdict === "approved") ?? verdicts[0] ?? "unanswered";
};
