import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/errors.ts";
import type { RawOptions } from "../../src/settings/option-values.ts";
import { optionNames, options } from "../../src/settings/options.ts";
import type { RunContext } from "../../src/settings/run-context.ts";
import { buildRunSettings, type RunSettings } from "../../src/settings/run.ts";

const token = `ghs_${"a".repeat(36)}`;
const good: RawOptions = { prompt: "Do it", "github-token": token };

let workspace: string;
let context: RunContext;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "settings-"));
  mkdirSync(join(workspace, "inside"));
  context = {
    environment: { PATH: "/bin", GIVEN: "yes" },
    workspace,
    confined: true,
    folder: join(workspace, "kept"),
    temporaryDirectory: workspace,
    toolCache: workspace,
    codeIsTrusted: true,
  };
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(workspace, name), text);
  return name;
};

const refusal = async (raw: RawOptions): Promise<Failure> => {
  const outcome: unknown = await buildRunSettings(raw, context).catch((error: unknown) => error);
  if (outcome instanceof Failure) return outcome;
  throw new Error("These settings were accepted.");
};

describe("a run's settings", () => {
  it("need no more than a prompt and a token, and then only reading is allowed", async () => {
    const settings = await buildRunSettings(good, context);
    expect(settings).toMatchObject<Partial<RunSettings>>({
      source: { kind: "service", credential: { kind: "copilot", token } },
      failOnEmpty: true,
      failOnDenied: false,
      report: true,
      requireWriteAccess: "auto",
    });
    expect(settings.harness).toMatchObject({
      prompt: "Do it",
      model: "auto",
      workspace,
      permissions: { allowedTools: ["read"] },
      timeLimit: { kind: "minutes", minutes: 20 },
      stallTimeoutMs: 300_000,
      retries: 2,
      customInstructions: true,
      logLevel: "info",
    });
  });

  it("hand on the limits that are given", async () => {
    const limits = {
      "timeout-minutes": "7.5",
      "stall-timeout-minutes": "0",
      "max-tool-denials": "4",
      "max-ai-credits": "2.5",
      retries: "0",
    };
    expect((await buildRunSettings({ ...good, ...limits }, context)).harness).toMatchObject({
      timeLimit: { kind: "minutes", minutes: 7.5 },
      stallTimeoutMs: 0,
      maxToolDenials: 4,
      maxAiCredits: 2.5,
      retries: 0,
    });
  });

  it("take the prompt from a file, with its line breaks", async () => {
    const raw = { "prompt-file": write("prompt.md", "One\n\nTwo\n"), "github-token": token };
    expect((await buildRunSettings(raw, context)).harness.prompt).toBe("One\n\nTwo\n");
  });

  it("name every mistake at once", async () => {
    const failure = await refusal({
      "prompt-file": "missing.md",
      "github-token": token,
      report: "maybe",
      retries: "many",
      "log-level": "loud",
      "working-directory": "nowhere",
      "agent-env": "GITHUB_TOKEN\nUNSET",
    });
    expect(failure.kind).toBe("configuration");
    for (const part of [
      `prompt-file: ${join(workspace, "missing.md")} does not exist`,
      'report: "maybe" is not allowed; allowed: true, false',
      'retries: "many" is not allowed; allowed: a whole number from 0 to 10',
      'log-level: "loud" is not allowed; allowed: none, error, warning, info, debug, all',
      "working-directory:",
      "GITHUB_TOKEN is never passed to the agent",
      "agent-env: not set in this environment: GITHUB_TOKEN, UNSET",
    ])
      expect(failure.message).toContain(part);
  });

  it.each<[string, RawOptions, RegExp]>([
    ["no prompt", { "github-token": token }, /give prompt or prompt-file/],
    ["two prompts", { ...good, "prompt-file": "x.md" }, /prompt or prompt-file, not both/],
    ["a rule of another dialect", { ...good, "allowed-tools": "Bash(git:*)" }, /Perhaps `shell\(git:\*\)`/],
    ["a rule that matches nothing", { ...good, "allowed-tools": "shell()" }, /can match nothing/],
    ["a directory above", { ...good, "working-directory": ".." }, /outside the workspace/],
    ["a schema that is no JSON", { ...good, "output-schema": '{"a":\n oops}' }, /line 2, column 2/],
    [
      "a schema that is no schema",
      { ...good, "output-schema": '{"type": "objekt"}' },
      /not a valid JSON Schema/,
    ],
    [
      "a schema of another draft",
      { ...good, "output-schema": '{"$schema": "http://json-schema.org/draft-07/schema#"}' },
      /only JSON Schema 2020-12 .*draft-07.* change or remove \$schema/,
    ],
    ["a schema that is a list", { ...good, "output-schema": "[1]" }, /must be an object/],
    ["MCP servers that are no JSON", { ...good, "mcp-config": '{\n  "a": 1,\n}' }, /line 3, column 1/],
    [
      "a provider without a model",
      { ...good, "provider-base-url": "https://llm.example/v1" },
      /name the provider's model/,
    ],
    ["half a provider", { ...good, "provider-api-key": "key" }, /provider-api-key is given without it/],
    ["a provider of an unknown type", { ...good, "provider-type": "acme" }, /openai, azure, anthropic/],
    ["a driver that is not there", { ...good, driver: "no-driver" }, /driver: .*no-driver is not a file/],
    ["a budget of nothing", { ...good, "max-ai-credits": "0" }, /a number from 0.000001/],
    ["efforts in a sentence", { ...good, "reasoning-effort": "very much" }, /one word/],
  ])("refuse %s", async (_what, raw, message) => {
    expect((await refusal(raw)).message).toMatch(message);
  });

  it("refuse a prompt that no model can take, and say what to do instead", async () => {
    const raw = { "prompt-file": write("big.md", "x".repeat(20 * 1024 * 1024)), "github-token": token };
    expect((await refusal(raw)).message).toMatch(/20 MiB .* ask the agent to read it/);
  });

  it("refuse a link that leads out of the workspace", async () => {
    symlinkSync(tmpdir(), join(workspace, "way-out"));
    expect((await refusal({ ...good, "working-directory": "way-out" })).message).toMatch(/outside/);
    const free = await buildRunSettings(
      { ...good, "working-directory": "way-out" },
      { ...context, confined: false },
    );
    expect(free.harness.workspace).toBe(join(workspace, "way-out"));
  });

  it("tell a wrong token as what it is, with its own advice", async () => {
    const failure = await refusal({ ...good, "github-token": "ghp_classic" });
    expect(failure.kind).toBe("authentication");
    expect(failure.advice).toContain("fine-grained");
  });

  it("take the name of an MCP server for what it is, even if other tools have a word like it", async () => {
    const raw = {
      ...good,
      "allowed-tools": "fetch",
      "mcp-config": '{"mcpServers": {"fetch": {"command": "x"}}}',
    };
    const { harness } = await buildRunSettings(raw, context);
    expect(harness.permissions).toEqual({ allowedTools: ["fetch"] });
    expect(readFileSync(harness.mcpConfigFile!, "utf8")).toBe(raw["mcp-config"]);
    expect((await refusal({ ...raw, "mcp-config": "" })).message).toContain("`web_fetch`");
  });

  it("remark on entries that grant more than they say, without refusing them", async () => {
    const { remarks } = await buildRunSettings({ ...good, "allowed-tools": "shell(find:*)" }, context);
    expect(remarks).toEqual([expect.objectContaining({ code: "runs-any-program" })]);
  });

  it("remark on rules that limit nothing because everything is allowed", async () => {
    const all = { ...good, "allow-all-tools": "true" };
    expect((await buildRunSettings(all, context)).remarks).toEqual([]);
    const { remarks } = await buildRunSettings({ ...all, "allowed-tools": "read" }, context);
    expect(remarks.map(({ message }) => message)).toEqual([expect.stringContaining("limit nothing")]);
  });

  it("leave the repository's instructions out where its code is not trusted, unless told otherwise", async () => {
    const foreign = { ...context, codeIsTrusted: false };
    expect((await buildRunSettings(good, foreign)).harness.customInstructions).toBe(false);
    const told = await buildRunSettings({ ...good, "custom-instructions": "true" }, foreign);
    expect(told.harness.customInstructions).toBe(true);
  });

  it("need neither token nor prompt for a rehearsal, whose script has its own policy", async () => {
    const { source, harness } = await buildRunSettings({ rehearsal: "default" }, context);
    expect(source.kind).toBe("rehearsal");
    expect(harness.permissions?.allowedTools).toContain("write");
    const narrowed = await buildRunSettings({ rehearsal: "default", "allowed-tools": "read" }, context);
    expect(narrowed.harness.permissions).toEqual({ allowedTools: ["read"] });
  });

  it("name the place of a mistake in a rehearsal's script", async () => {
    const { message } = await refusal({ rehearsal: write("script.yml", "steps:\n  - sya: hello\n") });
    expect(message).toMatch(/script\.yml:2:\d+: /);
    expect(message).not.toMatch(/nothing is asked|token/);
  });
});

describe("the table of options", () => {
  it("describes each in a sentence, with a default that is allowed", async () => {
    for (const name of optionNames) expect(options[name].description).toMatch(/^[A-Z].*\.$/s);
    await expect(buildRunSettings(good, context)).resolves.toBeDefined();
  });
});
