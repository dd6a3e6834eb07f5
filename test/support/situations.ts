/** Situations that the corpus holds: each built-in tool approved and denied, each kind of model failure. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineTool, type PermissionHandler, type SessionConfig } from "@github/copilot-sdk";
import { inWorkspace } from "../../src/rehearsal/fill-in.ts";
import { startScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import type { ToolCall, Turn } from "../../src/rehearsal/turn.ts";
import { normaliseEvents } from "./normalise-events.ts";
import { approveAll, denyAll, runSession, startRuntime } from "./runtime.ts";

type Situation = {
  turns: readonly Turn[];
  session?: Partial<SessionConfig>;
  timeoutMs?: number;
  /** Ephemeral events are kept too. */
  whole?: boolean;
};

const seed: Record<string, string> = {
  "README.md": "# Sample\n\nA small project.\n",
  "src/greet.js": 'export const greet = (name) => "Hello " + name;\n',
};

const done: Turn = { text: "Done." };
const call = (name: string, args: ToolCall["arguments"], turns?: Turn[]): ToolCall => ({
  name,
  arguments: args,
  ...(turns && { turns }),
});
const calls = (...toolCalls: ToolCall[]): Turn[] => [{ toolCalls }, done];
const bash = (command: string, more: object = {}): ToolCall =>
  call("bash", { command, description: "Run a command", ...more });

const tools: Record<string, Turn[]> = {
  bash: calls(bash("git --version && ls src")),
  view: calls(call("view", { path: "{{workspace}}/README.md" })),
  "view-outside": calls(call("view", { path: "/etc/hostname" })),
  create: calls(call("create", { path: "{{workspace}}/notes.txt", file_text: "One\nTwo\n" })),
  edit: calls(
    call("edit", { path: "{{workspace}}/src/greet.js", old_str: "Hello ", new_str: "Good morning " }),
  ),
  grep: calls(call("grep", { pattern: "greet", output_mode: "content", "-n": true })),
  glob: calls(call("glob", { pattern: "**/*.js" })),
  sql: calls(call("sql", { description: "Keep a list", query: "CREATE TABLE notes (text TEXT)" })),
  task: calls(
    call("task", { agent_type: "explore", name: "scout", description: "Look", prompt: "Find the greeting" }, [
      { toolCalls: [call("view", { path: "{{workspace}}/src/greet.js" })] },
      { text: "It is in src/greet.js." },
    ]),
  ),
  mcp: calls(call("fixture-echo", { text: "one" })),
  "mcp-read-only": calls(call("fixture-peek", { text: "one" })),
  "web-fetch": calls(call("web_fetch", { url: "https://example.invalid/page" })),
  "custom-tool": calls(call("weigh", { thing: "feather" })),
};

const mcpServers: SessionConfig["mcpServers"] = {
  fixture: {
    type: "local",
    command: process.execPath,
    args: [fileURLToPath(new URL("../fixtures/mcp-server.mjs", import.meta.url))],
    tools: ["*"],
  },
};

const weigh = defineTool<{ thing: string }>("weigh", {
  description: "Weighs a thing.",
  parameters: { type: "object", properties: { thing: { type: "string" } }, required: ["thing"] },
  handler: ({ thing }) => `${thing}: 1 g`,
});

const extras: Record<string, Partial<SessionConfig>> = {
  mcp: { mcpServers },
  "mcp-read-only": { mcpServers },
  "custom-tool": { tools: [weigh] },
};

const decided = (decision: string, handler: PermissionHandler): [string, Situation][] =>
  Object.entries(tools).map(([name, turns]) => [
    `${name}-${decision}`,
    { turns, session: { ...extras[name], onPermissionRequest: handler } },
  ]);

const failing = (error: Turn["error"]): Situation => ({ turns: [{ ...done, ...(error && { error }) }] });

export const situations: Record<string, Situation> = {
  ...Object.fromEntries(decided("approved", approveAll)),
  ...Object.fromEntries(decided("denied", denyAll)),
  "bash-fails": { turns: calls(bash("ls missing")), session: { onPermissionRequest: approveAll } },
  "bash-async": {
    turns: [
      { toolCalls: [bash("sleep 60", { mode: "async", shellId: "sleeper" })] },
      { toolCalls: [call("list_bash", {})] },
      { toolCalls: [call("read_bash", { shellId: "sleeper", delay: 1 })] },
      { toolCalls: [call("stop_bash", { shellId: "sleeper" })] },
      done,
    ],
    session: { onPermissionRequest: approveAll },
  },
  agents: {
    turns: [
      {
        toolCalls: [
          call(
            "task",
            {
              agent_type: "explore",
              name: "scout",
              description: "Look",
              prompt: "Find the greeting",
              mode: "background",
            },
            [{ text: "It is in src/greet.js." }],
          ),
        ],
      },
      { toolCalls: [call("list_agents", {})] },
      {
        toolCalls: [
          call("read_agent", {
            agent_id: String.raw`{{result /agent_id: ([\w-]+)/}}`,
            wait: true,
            timeout: 10,
          }),
        ],
      },
      {
        toolCalls: [
          call("write_agent", {
            agent_id: String.raw`{{result /agent_id: ([\w-]+)/}}`,
            message: "Thank you",
          }),
        ],
      },
      done,
    ],
    session: { onPermissionRequest: approveAll },
  },
  "no-handler": { turns: tools.bash ?? [] },
  "hook-denied": {
    turns: tools["mcp-read-only"] ?? [],
    session: {
      mcpServers,
      onPermissionRequest: approveAll,
      hooks: {
        onPreToolUse: () => ({ permissionDecision: "deny", permissionDecisionReason: "Not on the list." }),
      },
    },
  },
  parallel: {
    turns: calls(
      bash("echo one"),
      call("view", { path: "{{workspace}}/README.md" }),
      call("glob", { pattern: "*" }),
    ),
    session: { onPermissionRequest: approveAll },
  },
  "whole-session": {
    turns: [
      {
        reasoning: "I should look at the project first.",
        text: "Let me look.",
        pieces: 3,
        toolCalls: [bash("ls")],
      },
      { text: "It is a **small** project.", pieces: 4 },
    ],
    session: { onPermissionRequest: approveAll },
    whole: true,
  },
  "unknown-tool": { turns: calls(call("teleport", { to: "mars" })) },
  "invalid-arguments": { turns: calls(call("bash", "{not json")) },
  "error-400": failing({ status: 400, code: "invalid_request_body", message: "Bad request" }),
  "error-400-context": failing({
    status: 400,
    code: "model_max_prompt_tokens_exceeded",
    message: "prompt token count of 300000 exceeds the limit of 180000",
  }),
  "error-400-filter": failing({ status: 400, code: "content_filter", message: "The content was filtered" }),
  "error-400-model": failing({
    status: 400,
    code: "model_not_supported",
    message: "The requested model is not supported.",
  }),
  "error-401": failing({ status: 401, code: "unauthorized", message: "Bad credentials" }),
  "error-402": failing({ status: 402, code: "quota_exceeded", message: "You have no quota" }),
  "error-403": failing({ status: 403, code: "forbidden", message: "Access denied" }),
  "error-404": failing({ status: 404, code: "not_found", message: "No such model" }),
  "error-413": failing({ status: 413, code: "request_too_large", message: "Too large" }),
  "error-429": failing({ status: 429, code: "rate_limited", message: "Slow down", retryAfter: 0 }),
  "error-429-recovers": failing({ status: 429, code: "rate_limited", retryAfter: 0, times: 1 }),
  "error-500": failing({ status: 500, message: "Internal error" }),
  "error-503": failing({ status: 503, message: "Unavailable", retryAfter: 0 }),
  "stream-cut": { turns: [{ text: "A long answer", pieces: 4, cut: true }] },
  "filtered-answer": { turns: [{ text: "Half an", finishReason: "content_filter" }] },
  "truncated-answer": { turns: [{ text: "Half an", finishReason: "length" }] },
  "empty-answer": { turns: [{}] },
  "hang-aborted": { turns: [{ hang: true }], timeoutMs: 500 },
};

export const recordSituation = async (
  name: string,
): Promise<{ version: string; events: Record<string, unknown>[] }> => {
  const situation = situations[name];
  if (!situation) throw new Error(`No such situation: ${name}`);
  const script: { turns: readonly Turn[] } = { turns: [] };
  const api = await startScriptedApi(script);
  const runtime = await startRuntime(api.environment);
  try {
    script.turns = inWorkspace(situation.turns, runtime.workspace);
    for (const [path, text] of Object.entries(seed)) {
      mkdirSync(dirname(join(runtime.workspace, path)), { recursive: true });
      writeFileSync(join(runtime.workspace, path), text);
    }
    const { events } = await runSession(runtime, {
      model: api.model,
      timeoutMs: situation.timeoutMs ?? 60_000,
      ...situation.session,
    });
    const version = api.requests
      .map(({ headers }) => /^copilot\/([\w.-]+)/.exec(headers["user-agent"] ?? "")?.[1])
      .find((found) => found !== undefined);
    const kept = situation.whole ? events : events.filter(({ ephemeral }) => ephemeral !== true);
    const places = {
      [runtime.workspace]: "/workspace",
      [runtime.home]: "/home/agent",
      [api.url]: "http://127.0.0.1:1",
    };
    return { version: version ?? "unknown", events: normaliseEvents(kept, places) };
  } finally {
    await runtime.stop();
    await api.close();
  }
};
