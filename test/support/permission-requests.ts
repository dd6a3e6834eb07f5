/** What the real runtime asks permission for, when a scripted model calls one tool after the other. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import type { ToolCall } from "../../src/rehearsal/turn.ts";
import { runSession, startRuntime } from "./runtime.ts";

/** Harmless commands in every shape that the runtimes might present differently. */
const commands = [
  "echo one",
  "git status --short | head -5",
  "git log -1 --format='a;b|c' 2>&1 || echo none",
  "echo one && ls; pwd & wait",
  'echo "$(git rev-parse HEAD)" `pwd`',
  "cat <(echo one)",
  "cat <<'EOF'; echo two\n$(not run)\nEOF",
  "cat <<EOF\n$(echo three)\nEOF",
  "echo one > out.txt",
  "cat < notes.txt 2>/dev/null",
  'for f in *.txt; do cat "$f"; done',
  "if [ -f notes.txt ]; then echo yes; fi",
  "[[ -n $HOME ]] && echo yes",
  "f() { echo one; }; f",
  "CI=1 echo one",
  "x=1; echo $x",
  "time echo one",
  "! grep -q x notes.txt",
  "'echo' one; \\ls",
  "cd / && pwd",
  "echo ${x:-$(echo four)}",
  "echo $((1 + 2))",
];

const bash = (command: string): ToolCall => ({
  name: "bash",
  arguments: { command, description: "Look", mode: "sync" },
});

const callsIn = (workspace: string): ToolCall[] => [
  ...commands.map(bash),
  { name: "view", arguments: { path: join(workspace, "notes.txt") } },
  { name: "view", arguments: { path: "/etc/hostname" } },
  { name: "view", arguments: { path: "/proc/self/environ" } },
  { name: "grep", arguments: { pattern: "one", path: workspace } },
  { name: "glob", arguments: { pattern: "*.txt" } },
  { name: "create", arguments: { path: join(workspace, "new.txt"), file_text: "new\n" } },
  { name: "edit", arguments: { path: join(workspace, "notes.txt"), old_str: "one", new_str: "two" } },
  { name: "web_fetch", arguments: { url: "https://example.invalid/" } },
  { name: "web_fetch", arguments: { url: "http://127.0.0.1:9/" } },
  { name: "fixture-echo", arguments: { text: "one" } },
  { name: "fixture-peek", arguments: { text: "one" } },
];

export type RecordedPermission = { call: ToolCall; requests: unknown[] };

/** Nothing is approved, so nothing happens. */
export const recordPermissionRequests = async (binary?: string): Promise<RecordedPermission[]> => {
  const workspace = mkdtempSync(join(tmpdir(), "requests-"));
  const stable = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(workspace, "/workspace")) as Value;
  const calls = callsIn(workspace);
  const api = await startScriptedApi({
    turns: [...calls.map((call) => ({ toolCalls: [call] })), { text: "Done" }],
  });
  const runtime = await startRuntime(api.environment, binary);
  try {
    writeFileSync(join(workspace, "notes.txt"), "one\n");
    const requests = new Map<string, unknown[]>();
    const { error } = await runSession(runtime, {
      model: api.model,
      workingDirectory: workspace,
      mcpServers: {
        fixture: {
          type: "local",
          command: process.execPath,
          args: [fileURLToPath(new URL("../fixtures/mcp-server.mjs", import.meta.url))],
          tools: ["*"],
        },
      },
      onPermissionRequest: (request) => {
        const call = String(request.toolCallId);
        requests.set(call, [...(requests.get(call) ?? []), stable(request)]);
        return { kind: "reject", feedback: "Only recorded." };
      },
    });
    if (error !== undefined) throw error;
    return calls.map((call, turn) => ({
      call: stable(call),
      requests: requests.get(`call_${turn + 1}_1`) ?? [],
    }));
  } finally {
    await runtime.stop();
    await api.close();
    rmSync(workspace, { recursive: true, force: true });
  }
};
