import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeRuntime } from "../support/fake-runtime.ts";
import { startWorld, type DriverRun, type World } from "../support/driver.ts";
import { startGitHubTools } from "../support/github-tools.ts";
import { nodes } from "../support/nodes.ts";

type Answer = { kind: string; feedback?: string };

/** What the driver answers to requests of any kind, each under the same policy. */
const answersTo = async (
  world: World,
  node: string,
  permissions: object | undefined,
  requests: Record<string, unknown>[],
): Promise<{ answers: Answer[]; run: DriverRun }> => {
  const answers = new Map<string, Answer>();
  const fake = await startFakeRuntime({
    onSend: (peer) =>
      requests.forEach((permissionRequest, index) =>
        peer.event("permission.requested", { requestId: `r${index}`, permissionRequest }),
      ),
    answers: {
      "session.permissions.handlePendingPermissionRequest": ({ requestId, result }, peer) => {
        answers.set(String(requestId), result as Answer);
        if (answers.size === requests.length) {
          peer.event("assistant.message", { content: "done", toolRequests: [] });
          peer.event("session.idle");
        }
        return { success: true };
      },
    },
  });
  try {
    const run = await world.run(
      {
        COPILOT_SDK_URI: fake.uri,
        COPILOT_CONNECTION_TOKEN: fake.token,
        COPILOT_SDK_PERMISSIONS: permissions && JSON.stringify(permissions),
      },
      node,
    );
    return { answers: requests.map((_, index) => answers.get(`r${index}`) ?? { kind: "no answer" }), run };
  } finally {
    await fake.close();
  }
};

const shell = (fullCommandText: string) => ({
  kind: "shell",
  fullCommandText,
  intention: "",
  commands: [{ identifier: fullCommandText, readOnly: false }],
  possiblePaths: [],
  possibleUrls: [],
  hasWriteFileRedirection: false,
  canOfferSessionApproval: false,
});
const read = { kind: "read", path: "README.md", intention: "" };
const write = { kind: "write", fileName: "a.txt", diff: "", intention: "", canOfferSessionApproval: false };
const url = { kind: "url", url: "https://example.com/", intention: "" };
const custom = { kind: "custom-tool", toolName: "lookup", toolDescription: "" };
const mcp = (serverName: string, tool: string) => ({
  kind: "mcp",
  serverName,
  toolName: `${serverName}-${tool}`,
  toolTitle: tool,
  readOnly: false,
});
const everyKind = [shell("git status"), read, write, url, custom, mcp("github", "get_issue")];
const strange = [
  { kind: "memory", fact: "x" },
  { kind: "hook", toolName: "x" },
  { kind: "extension-management" },
  { kind: "from-the-future" },
  { kind: "__proto__" },
  {},
];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      toolCalls: [
        { name: "bash", arguments: { command: "touch made-by-shell", description: "x", mode: "sync" } },
        { name: "create", arguments: { path: "made-by-create", file_text: "x" } },
      ],
    },
    { text: "Finished." },
  ]);
});
afterAll(() => world.stop());

const made = (name: string) => join(world.runtime.workspace, name);
const startAfresh = () =>
  ["made-by-shell", "made-by-create"].forEach((name) => rmSync(made(name), { force: true }));
beforeEach(startAfresh);

describe.each(nodes)("permission requests on %s", (_, node) => {
  const kindsFor = async (permissions: object | undefined, requests: Record<string, unknown>[]) =>
    (await answersTo(world, node, permissions, requests)).answers.map(({ kind }) => kind);
  const approve = "approve-once";
  const reject = "reject";

  it.each([
    ["no configuration", undefined],
    ["an empty list", '{"allowedTools":[]}'],
    ["a list that is empty after normalization", '{"allowedTools":["", "  "]}'],
  ])(
    "T-CSD-101: %s defers to the SDK's default policy, which denies, and the denials are told",
    async (_what, permissions) => {
      const { exitCode, stdout, result, stderr } = await world.run(
        { COPILOT_SDK_PERMISSIONS: permissions },
        node,
      );
      expect(exitCode).toBe(0);
      expect(stdout).toBe("Finished.\n");
      expect(existsSync(made("made-by-shell"))).toBe(false);
      expect(result?.denials.map(({ reason }) => reason)).toContain("sdk-default");
      expect(stderr).toContain("permission denied");
      expect(stderr).toContain("Every permission request of the agent was denied");
    },
  );

  it("T-CSD-102: allowAllTools=true approves all requests, also those of unknown kinds", async () => {
    const requests = [...everyKind, ...strange];
    expect(await kindsFor({ allowAllTools: true }, requests)).toEqual(requests.map(() => approve));
  });

  it("T-CSD-103: a scoped list without read denies read", async () => {
    expect(await kindsFor({ allowedTools: ["write", "shell", "web_fetch", "github"] }, [read])).toEqual([
      reject,
    ]);
  });

  it("T-CSD-104: a scoped list with read approves read", async () => {
    expect(await kindsFor({ allowedTools: ["read"] }, everyKind)).toEqual([
      reject,
      approve,
      reject,
      reject,
      reject,
      reject,
    ]);
  });

  it("T-CSD-105: write is approved only by write", async () => {
    expect(await kindsFor({ allowedTools: ["write"] }, everyKind)).toEqual([
      reject,
      reject,
      approve,
      reject,
      reject,
      reject,
    ]);
    expect(await kindsFor({ allowedTools: ["read", "shell", "web_fetch"] }, [write])).toEqual([reject]);
  });

  it("T-CSD-106: url is approved only by web_fetch", async () => {
    expect(await kindsFor({ allowedTools: ["web_fetch"] }, everyKind)).toEqual([
      reject,
      reject,
      reject,
      approve,
      reject,
      reject,
    ]);
  });

  it("T-CSD-107: a custom tool is approved only by its name", async () => {
    expect(await kindsFor({ allowedTools: ["lookup"] }, everyKind)).toEqual([
      reject,
      reject,
      reject,
      reject,
      approve,
      reject,
    ]);
    expect(await kindsFor({ allowedTools: ["look"] }, [custom])).toEqual([reject]);
  });

  it("T-CSD-108: MCP is approved by <server> and by <server>(<tool>)", async () => {
    const requests = [mcp("github", "get_issue"), mcp("github", "delete_repo"), mcp("gitlab", "get_issue")];
    expect(await kindsFor({ allowedTools: ["github"] }, requests)).toEqual([approve, approve, reject]);
    expect(await kindsFor({ allowedTools: ["github(get_issue)"] }, requests)).toEqual([
      approve,
      reject,
      reject,
    ]);
  });

  it("T-CSD-109: shell, shell(<rule>) and shell(<full command>) approve what they say and nothing else", async () => {
    const requests = [
      shell("git status"),
      shell("git push"),
      shell("gitea x"),
      shell("git status && rm -rf /"),
      shell("npm test"),
    ];
    expect(await kindsFor({ allowedTools: ["shell"] }, requests)).toEqual(requests.map(() => approve));
    expect(await kindsFor({ allowedTools: ["shell(git:*)"] }, requests)).toEqual([
      approve,
      approve,
      reject,
      reject,
      reject,
    ]);
    expect(await kindsFor({ allowedTools: ["shell(git)"] }, requests)).toEqual([
      approve,
      approve,
      reject,
      reject,
      reject,
    ]);
    expect(await kindsFor({ allowedTools: ["shell(git status)"] }, requests)).toEqual([
      approve,
      reject,
      reject,
      reject,
      reject,
    ]);
  });

  it("T-CSD-110: unknown kinds are rejected, whatever the list holds", async () => {
    const permissions = { allowedTools: ["read", "write", "shell", "web_fetch", "memory", "hook", "lookup"] };
    expect(await kindsFor(permissions, strange)).toEqual(strange.map(() => reject));
  });

  it("T-CSD-111 and T-CSD-202: a rejection carries policy feedback, and a log entry with a compact summary", async () => {
    const long = shell(`echo ${"x".repeat(5000)}\nrm -rf /`);
    const { answers, run } = await answersTo(world, node, { allowedTools: ["read"] }, [
      shell("git push origin main"),
      write,
      long,
    ]);
    for (const { feedback } of answers) expect(feedback).toMatch(/not allowed by workflow tool permissions/i);
    const entries = run.stderr.split("\n").filter((line) => line.includes("permission denied"));
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatch(
      /^\[copilot-sdk-driver\] permission denied kind=shell request="git push origin main" reason=no-rule/,
    );
    expect(entries[1]).toMatch(/kind=write request=a\.txt/);
    expect(Math.max(...entries.map((entry) => entry.length))).toBeLessThan(700);
    expect(run.result?.denials).toHaveLength(3);
  });

  it("enforces the list on the real runtime: what is denied has no effect, what is allowed has", async () => {
    const permissions = JSON.stringify({ allowedTools: ["shell(touch)"] });
    const { exitCode, result, events } = await world.run({ COPILOT_SDK_PERMISSIONS: permissions }, node);
    expect(exitCode).toBe(0);
    expect(existsSync(made("made-by-shell"))).toBe(true);
    expect(existsSync(made("made-by-create"))).toBe(false);
    expect(result?.denials).toMatchObject([{ kind: "write", reason: "no-rule" }]);
    expect(
      events
        .filter(({ type }) => type === "driver.permission_decided")
        .map(({ data }) => data["decision"])
        .sort(),
    ).toEqual(["approve", "deny"]);
  });
});

describe("where permissions come from", () => {
  const decided = async (environment: Record<string, string>) => {
    startAfresh();
    const { result } = await world.run(environment);
    return result?.denials.map(({ kind }) => kind);
  };

  it("takes the first carrier that is set", async () => {
    const own = '{"allowedTools":["write"]}';
    const toolConfig = JSON.stringify({ version: 1, permissions: { allowedTools: ["shell"] } });
    const serverArguments = '["--allow-tool","write","--allow-tool","shell(touch)"]';
    expect(
      await decided({
        COPILOT_SDK_PERMISSIONS: own,
        GH_AW_COPILOT_SDK_TOOL_CONFIG: toolConfig,
        GH_AW_COPILOT_SDK_SERVER_ARGS: serverArguments,
      }),
    ).toEqual(["shell"]);
    expect(
      await decided({
        COPILOT_SDK_PERMISSIONS: "",
        GH_AW_COPILOT_SDK_TOOL_CONFIG: toolConfig,
        GH_AW_COPILOT_SDK_SERVER_ARGS: serverArguments,
      }),
    ).toEqual(["write"]);
    expect(await decided({ GH_AW_COPILOT_SDK_SERVER_ARGS: serverArguments })).toEqual([]);
  });

  it("lets --allow-all-tools win among the server arguments", async () => {
    expect(
      await decided({ GH_AW_COPILOT_SDK_SERVER_ARGS: '["--allow-tool","read","--allow-all-tools"]' }),
    ).toEqual([]);
  });
});

describe("what never asks for permission", () => {
  it("is denied by the second barrier when the policy does not list its server", async () => {
    const server = join(world.folder, "server.mjs");
    writeFileSync(server, readOnlyServer);
    const config = join(world.folder, "mcp.json");
    writeFileSync(
      config,
      JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: [server] } } }),
    );
    const readers = await startWorld([
      { toolCalls: [{ name: "notes-peek", arguments: {} }] },
      { text: "Finished." },
    ]);
    try {
      const environment = (allowed: string) => ({
        GH_AW_MCP_CONFIG: config,
        COPILOT_SDK_PERMISSIONS: JSON.stringify({ allowedTools: [allowed] }),
      });
      const denied = await readers.run(environment("read"));
      expect(denied.result?.denials).toMatchObject([{ kind: "mcp", summary: "notes-peek" }]);
      expect(JSON.stringify(denied.events)).not.toContain("what the notes say");

      const allowed = await readers.run(environment("notes(peek)"));
      expect(allowed.result?.denials).toEqual([]);
      expect(JSON.stringify(allowed.events)).toContain("what the notes say");
    } finally {
      await readers.stop();
    }
  });

  it("is denied by the second barrier although the runtime itself brings the server", async () => {
    const turns = [
      { toolCalls: [{ name: "github-mcp-server-get_me", arguments: {} }] },
      { text: "Finished." },
    ];
    const signedIn = await startWorld(turns, "Who am I?", startGitHubTools);
    try {
      const allowing = (...allowedTools: string[]) => ({
        COPILOT_SDK_PERMISSIONS: JSON.stringify({ allowedTools }),
      });
      const denied = await signedIn.run(allowing("read"));
      expect(denied.result?.denials).toMatchObject([{ kind: "mcp", summary: "github-mcp-server-get_me" }]);
      expect(JSON.stringify(denied.events)).not.toContain("what GitHub says");

      const allowed = await signedIn.run(allowing("github-mcp-server(get_me)"));
      expect(allowed.result?.denials).toEqual([]);
      expect(JSON.stringify(allowed.events)).toContain("what GitHub says");
    } finally {
      await signedIn.stop();
    }
  });
});

const readOnlyServer = `
import { createInterface } from "node:readline";
const answers = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "peek", description: "Reads", inputSchema: { type: "object", properties: {} }, annotations: { readOnlyHint: true } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "what the notes say" }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} }));
});
`;
