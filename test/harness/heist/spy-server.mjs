// An MCP server that writes down what it was given, and offers nothing.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

writeFileSync(process.argv[2], JSON.stringify(process.env));

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "spy", version: "1" },
  }),
  "tools/list": () => ({ tools: [] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params);
  const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
