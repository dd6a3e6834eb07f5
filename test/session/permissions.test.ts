import { createLog } from "../../src/log.ts";
import { policyOf } from "../../src/policy/rules.ts";
import { createGatekeeper } from "../../src/session/permissions.ts";

const barrier = (allowedTools: string[], toolName: string) =>
  createGatekeeper({
    policy: policyOf({ allowedTools }).policy,
    workspace: "/",
    mcpServers: [],
    log: createLog({ prefix: "p", level: "none", write: () => {} }),
    redact: (text) => text,
    onDecision: () => {},
    onDenial: () => {},
  }).onToolUse?.({ toolName })?.approve;

it("the second barrier knows the runtime's own MCP server, which no configuration names", () => {
  expect(barrier(["read"], "github-mcp-server-get_me")).toBe(false);
  expect(barrier(["github-mcp-server"], "github-mcp-server-get_me")).toBe(true);
  expect(barrier(["read"], "bash")).toBe(true);
});
