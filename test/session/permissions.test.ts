import { createLog } from "../../src/log.ts";
import { policyOf } from "../../src/policy/rules.ts";
import { createGatekeeper } from "../../src/session/permissions.ts";

const barrier = (allowedTools: string[], toolName: string, toolArguments: unknown = {}) =>
  createGatekeeper({
    policy: policyOf({ allowedTools }).policy,
    workspace: "/",
    mcpServers: [],
    log: createLog({ prefix: "p", level: "none", write: () => {} }),
    redact: (text) => text,
    onDecision: () => {},
    onDenial: () => {},
  }).onToolUse?.({ toolName, toolArguments })?.approve;

it("the second barrier knows the runtime's own MCP server, which no configuration names", () => {
  expect(barrier(["read"], "github-mcp-server-get_me")).toBe(false);
  expect(barrier(["github-mcp-server"], "github-mcp-server-get_me")).toBe(true);
  expect(barrier(["read"], "bash")).toBe(true);
});

it("the second barrier knows commands for PowerShell, which the request does not tell from Bash", () => {
  // One command to Bash, two to PowerShell.
  const command = String.raw`git log \; curl example.com`;
  expect(barrier(["shell(git:*)"], "bash", { command })).toBe(true);
  expect(barrier(["shell(git:*)"], "powershell", { command })).toBe(false);
  expect(barrier(["shell(git:*)"], "powershell", { command: "git log" })).toBe(false);
  expect(barrier(["shell(git log)"], "powershell", { command: "git log" })).toBe(true);
  expect(barrier(["shell"], "powershell", { command })).toBe(true);
  expect(barrier(["shell(git log)"], "powershell", null)).toBe(false);
});
