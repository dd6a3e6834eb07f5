import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeRuntime, type FakeRuntime } from "../support/fake-runtime.ts";
import { spawnDriver, startWorld, type World } from "../support/driver.ts";
import { nodes } from "../support/nodes.ts";
import { ended } from "../support/ordinary-user.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld([{ text: "The answer." }]);
});
afterAll(() => world.stop());

const lines = (stderr: string) => stderr.split("\n").filter(Boolean);

describe.each(nodes)("the environment contract on %s", (_, node) => {
  const run = (environment: Record<string, string | undefined>) => world.run(environment, node);

  it.each([
    ["T-CSD-001", "GH_AW_PROMPT"],
    ["T-CSD-002", "COPILOT_SDK_URI"],
    ["T-CSD-003", "COPILOT_CONNECTION_TOKEN"],
    ["COPILOT_MODEL is required too:", "COPILOT_MODEL"],
  ])("%s: a missing %s fails with a non-zero exit and is named on stderr", async (_id, name) => {
    for (const value of [undefined, "", "  "]) {
      const { exitCode, stderr, stdout } = await run({ [name]: value });
      expect(exitCode).toBe(2);
      expect(stdout).toBe("");
      expect(lines(stderr)).toHaveLength(1);
      expect(stderr).toMatch(
        new RegExp(`^\\[copilot-sdk-driver\\] failed .*kind=configuration .*${name} is not set`),
      );
    }
  });

  it("names everything that is missing in one message", async () => {
    const { status, stderr } = await ended(spawnDriver({}, node));
    expect(status).toBe(2);
    expect(stderr).toContain(
      "GH_AW_PROMPT, COPILOT_SDK_URI, COPILOT_CONNECTION_TOKEN, COPILOT_MODEL are not set",
    );
  });

  it.each([
    ["warning, when it is invalid", "loud", false],
    ["warning, when it is unset", undefined, false],
    ["the given value", "debug", true],
  ])("T-CSD-004: the log level is %s", async (_what, level, debugged) => {
    const { exitCode, stderr } = await run({
      COPILOT_SDK_LOG_LEVEL: level,
      COPILOT_SDK_PERMISSIONS: '{"allowedTools":["shell()"]}',
    });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("permission entry");
    expect(stderr.includes("permission policy")).toBe(debugged);
  });

  it.each([
    ["T-CSD-005", "unset", undefined, 600_000],
    ["T-CSD-006", "not a number", "soon", 600_000],
    ["T-CSD-006", "zero", "0", 600_000],
    ["T-CSD-006", "negative", "-5", 600_000],
    ["T-CSD-006", "a fraction", "1.5", 600_000],
    ["the valid", "a positive integer", "4321", 4_321],
    ["the valid", "longer than a timer can be", "99999999999", 2_147_483_647],
  ])("%s: a send timeout that is %s gives the right one", async (_id, _what, value, expected) => {
    const { exitCode, stderr } = await run({ COPILOT_SDK_SEND_TIMEOUT_MS: value });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`timeoutMs=${expected}`);
  });

  it("T-CSD-007: authenticates with COPILOT_CONNECTION_TOKEN, and no stream or file ever holds it", async () => {
    const { token } = world.runtime;
    const wrong = await run({ COPILOT_CONNECTION_TOKEN: "not-the-token-of-this-run" });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.result?.errorKind).toBe("authentication");

    const right = await run({ COPILOT_SDK_LOG_LEVEL: "all" });
    expect(right.exitCode).toBe(0);
    const traces = JSON.stringify([right, wrong]);
    for (const form of [token, Buffer.from(token).toString("base64"), Buffer.from(token).toString("hex")]) {
      expect(traces).not.toContain(form);
    }
    expect(traces).not.toContain("not-the-token-of-this-run");
  });

  it("T-CSD-008: neither needs, reads nor repeats GITHUB_TOKEN, COPILOT_GITHUB_TOKEN and GH_TOKEN", async () => {
    const without = await run({});
    expect(without.exitCode).toBe(0);
    const canaries = {
      GITHUB_TOKEN: "canary-one-1111",
      COPILOT_GITHUB_TOKEN: "canary-two-2222",
      GH_TOKEN: "canary-three-3333",
    };
    const requests = world.api.requests.length;
    const withThem = await run({ ...canaries, COPILOT_SDK_LOG_LEVEL: "all" });
    expect(withThem.exitCode).toBe(0);
    expect(withThem.stdout).toBe(without.stdout);
    const traces = JSON.stringify([withThem, world.api.requests.slice(requests)]);
    for (const canary of Object.values(canaries)) expect(traces).not.toContain(canary);
  });
});

describe("what reaches the runtime", () => {
  let fake: FakeRuntime;
  beforeAll(async () => {
    fake = await startFakeRuntime({
      onSend: (peer) => {
        peer.event("assistant.message", { content: "ok", toolRequests: [] });
        peer.event("session.idle");
      },
    });
  });
  afterAll(() => fake.close());

  const created = async (environment: Record<string, string>) => {
    fake.received.length = 0;
    const { exitCode } = await world.run({
      COPILOT_SDK_URI: fake.uri,
      COPILOT_CONNECTION_TOKEN: fake.token,
      ...environment,
    });
    expect(exitCode).toBe(0);
    return fake.request("session.create");
  };

  it("creates the session with streaming on, in GITHUB_WORKSPACE, and connects with the token", async () => {
    expect(await created({})).toMatchObject({
      model: world.api.model,
      workingDirectory: world.runtime.workspace,
      streaming: true,
      requestPermission: false,
    });
    expect(await fake.request("connect")).toMatchObject({ token: fake.token });
    expect(await fake.request("session.send")).toMatchObject({ prompt: "Do the work." });
  });

  it("hands on the provider, the MCP servers, the reasoning effort, the limits", async () => {
    const mcp = join(world.folder, "mcp.json");
    writeFileSync(
      mcp,
      JSON.stringify({
        mcpServers: {
          local: { command: "node", args: ["x.js"] },
          remote: { type: "http", url: "http://127.0.0.1:1/mcp" },
        },
      }),
    );
    const session = await created({
      COPILOT_SDK_PROVIDER: '{"type":"openai","baseUrl":"http://127.0.0.1:1/v1"}',
      GH_AW_MCP_CONFIG: mcp,
      COPILOT_REASONING_EFFORT: "high",
      COPILOT_SDK_MAX_AI_CREDITS: "2.5",
      COPILOT_SDK_CUSTOM_INSTRUCTIONS: "false",
    });
    expect(session).toMatchObject({
      provider: { type: "openai", baseUrl: "http://127.0.0.1:1/v1" },
      mcpServers: {
        local: { command: "node", args: ["x.js"] },
        remote: { type: "http", url: "http://127.0.0.1:1/mcp" },
      },
      reasoningEffort: "high",
      sessionLimits: { maxAiCredits: 2.5 },
    });
  });

  it("takes gh-aw's catalogue of providers", async () => {
    const providers = [{ name: "p", type: "openai", baseUrl: "http://127.0.0.1:1" }];
    const models = [{ id: "m", provider: "p" }];
    expect(
      await created({
        GH_AW_COPILOT_SDK_MULTI_PROVIDER_JSON: JSON.stringify({ model: "m", providers, models }),
      }),
    ).toMatchObject({ providers, models });
  });
});

describe("bad input is told in one line that names it, before anything starts", () => {
  const files = () => {
    const folder = join(world.folder, "bad");
    mkdirSync(join(folder, "directory"), { recursive: true });
    writeFileSync(join(folder, "empty.txt"), " \n");
    writeFileSync(join(folder, "latin1.txt"), Buffer.from([0x66, 0xfc, 0x72]));
    writeFileSync(join(folder, "broken.json"), "{");
    writeFileSync(join(folder, "list.json"), "[]");
    if (!existsSync(join(folder, "pipe"))) execFileSync("mkfifo", [join(folder, "pipe")]);
    writeFileSync(join(folder, "bad-server.json"), '{"mcpServers":{"x":{"url":"nonsense"}}}');
    return folder;
  };

  it.each([
    ["GH_AW_PROMPT", "nothing.txt", "does not exist"],
    ["GH_AW_PROMPT", "empty.txt", "is empty"],
    ["GH_AW_PROMPT", "directory", "is a directory"],
    ["GH_AW_PROMPT", "latin1.txt", "is not UTF-8 text"],
    ["GH_AW_MCP_CONFIG", "nothing.json", "does not exist"],
    ["GH_AW_MCP_CONFIG", "broken.json", "is not valid JSON"],
    ["GH_AW_MCP_CONFIG", "list.json", "mcpServers"],
    ["GH_AW_MCP_CONFIG", "bad-server.json", "server"],
    ["GITHUB_WORKSPACE", "nowhere", "is not a directory"],
    ["GH_AW_SESSION_STATE_BASE_DIR", "empty.txt", "cannot write below"],
    ["COPILOT_SDK_RESULT_FILE", "nowhere/result.json", "cannot write"],
    ["COPILOT_SDK_RESULT_FILE", "directory", "is not a regular file"],
    ["COPILOT_SDK_RESULT_FILE", "pipe", "is not a regular file"],
  ])("%s = …/%s: %s", async (name, file, reason) => {
    const path = join(files(), file);
    const { exitCode, stderr, stdout } = await world.run({ [name]: path });
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toContain(name);
    expect(stderr).toContain(path);
    expect(stderr).toContain(reason);
  });

  it.each([
    ["COPILOT_SDK_URI", "ftp://host:1"],
    ["COPILOT_SDK_URI", "host"],
    ["COPILOT_SDK_URI", "host:99999"],
    ["COPILOT_SDK_URI", "[.]:80"],
    ["GH_AW_SESSION_STATE_BASE_DIR", "/proc/nowhere"],
    ["COPILOT_SDK_PERMISSIONS", "[".repeat(100_000)],
    ["COPILOT_SDK_PERMISSIONS", "{"],
    ["COPILOT_SDK_PERMISSIONS", "[]"],
    ["COPILOT_SDK_PERMISSIONS", '{"allowAllTools":"true"}'],
    ["COPILOT_SDK_PERMISSIONS", '{"allowedTools":["shell",7]}'],
    ["COPILOT_SDK_PERMISSIONS", '{"allowed-tools":["shell"]}'],
    ["GH_AW_COPILOT_SDK_TOOL_CONFIG", '{"permissions":{}}'],
    ["GH_AW_COPILOT_SDK_SERVER_ARGS", '{"--allow-tool":"shell"}'],
    ["GH_AW_COPILOT_SDK_SERVER_ARGS", '["--allow-tool"]'],
    ["GH_AW_COPILOT_SDK_SERVER_ARGS", '["--allow-tool","shell","--deny-tool","shell(rm)"]'],
    ["COPILOT_SDK_PROVIDER", "nonsense"],
    ["COPILOT_SDK_PROVIDER", '{"type":"openai"}'],
    ["COPILOT_SDK_PROVIDER", '{"type":"other","baseUrl":"http://h"}'],
    ["COPILOT_SDK_PROVIDER", '{"baseUrl":"http://h","apiKey":"sk-secret-of-the-user-1"}'],
    ["GH_AW_COPILOT_SDK_MULTI_PROVIDER_JSON", '{"providers":[]}'],
    ["COPILOT_REASONING_EFFORT", "very high"],
    ["GH_AW_MAX_TOOL_DENIALS", "many"],
    ["GH_AW_MAX_TOOL_DENIALS", "0"],
  ])("%s = %s", async (name, value) => {
    const { exitCode, stderr, result, eventLogs } = await world.run({ [name]: value });
    expect(exitCode).toBe(2);
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toContain(name);
    expect(stderr).not.toContain("sk-secret");
    expect(result).toMatchObject({ exitCode: 2, outcome: "failed", errorKind: "configuration" });
    expect(eventLogs).toEqual({});
  });

  it.each([
    ["wrong token", { COPILOT_CONNECTION_TOKEN: "wrong" }, "authentication"],
    ["nothing listening", { COPILOT_SDK_URI: "127.0.0.1:1" }, "connection"],
    ["a host that does not exist", { COPILOT_SDK_URI: "host.invalid:80" }, "connection"],
  ])("%s, which is named", async (_what, environment, kind) => {
    const { exitCode, stderr, result, stdout } = await world.run(environment);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(`kind=${kind} message="${Object.keys(environment)[0]}: `);
    expect(result).toMatchObject({ exitCode: 1, errorKind: kind, hasOutput: false });
  });

  it("does not replace what is no regular file, whatever else is wrong", async () => {
    const pipe = join(files(), "pipe");
    await world.run({ COPILOT_SDK_RESULT_FILE: pipe, COPILOT_SDK_PERMISSIONS: "{" });
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it("leaves no half-written file behind", () => {
    const leftOvers = readdirSync(world.folder, { recursive: true }).filter((name) =>
      String(name).endsWith(".tmp"),
    );
    expect(leftOvers).toEqual([]);
  });
});
