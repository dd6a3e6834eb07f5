import { parseMcpServers, secretsOf } from "../../src/settings/mcp-servers.ts";
import { collectProblems } from "../../src/settings/problems.ts";

const secretsIn = (env: Record<string, string>): string[] => secretsOf({ server: { command: "x", env } });

describe("the secrets of MCP servers", () => {
  it.each(["API_TOKEN", "OPENAI_API_KEY", "x-apiKey", "PGPASSWORD", "CLIENT_SECRET", "NPM_AUTHTOKEN"])(
    "are known by a name such as %s",
    (name) => {
      expect(secretsIn({ [name]: "correct-horse" })).toEqual(["correct-horse"]);
    },
  );

  it.each([
    ["MAX_TOKENS", "1"],
    ["MAX_TOKENS", "100000000"],
    ["DISABLE_AUTH", "true"],
    ["AUTHOR", "Octavia Butler"],
    ["KEYBOARD_LAYOUT", "dvorak-left"],
  ])("do not include %s with the value %s, which would be masked everywhere", (name, value) => {
    expect(secretsIn({ [name]: value })).toEqual([]);
  });

  it("are told once, with and without the scheme of a header", () => {
    const headers = { Authorization: "Bearer correct-horse" };
    const server = { type: "http", url: "https://mcp.example", headers } as const;
    expect(secretsOf({ one: server, two: server })).toEqual(["Bearer correct-horse", "correct-horse"]);
  });
});

describe("the names of MCP servers", () => {
  it.each(["constructor", "toString", "a b", ""])("cannot be %j", (name) => {
    const problems = collectProblems();
    parseMcpServers(JSON.stringify({ mcpServers: { [name]: { command: "x" } } }), "servers", problems);
    expect(problems.throwIfAny).toThrow("needs a plain name");
  });
});
