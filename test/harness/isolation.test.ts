import { readFileSync } from "node:fs";
import { createHarnessWorld, type HarnessWorld } from "../support/harness-process.ts";

/** Speaks the handshake and writes down what it was given: the environment from inside. */
const stubRuntime = (out: string): string => `#!/usr/bin/env node
const { writeFileSync } = require("node:fs");
writeFileSync(${JSON.stringify(out)}, JSON.stringify({ env: process.env, argv: process.argv, cwd: process.cwd() }));
const server = require("node:net").createServer((socket) => socket.once("data", (data) => {
  const { id, params } = JSON.parse(String(data).split("\\r\\n\\r\\n")[1]);
  const good = params.token === process.env.COPILOT_CONNECTION_TOKEN;
  const body = JSON.stringify({ jsonrpc: "2.0", id, ...(good ? { result: { version: "9.9.9" } } : { error: { code: -32002, message: "AUTHENTICATION_FAILED" } }) });
  socket.end("Content-Length: " + Buffer.byteLength(body) + "\\r\\n\\r\\n" + body);
})).listen(0, "127.0.0.1", () => console.log("CLI server listening on port " + server.address().port));
`;

const stubDriver = (out: string): string => `
import { readFileSync, writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(out)}, JSON.stringify({ env: process.env, argv: process.argv, prompt: readFileSync(process.env.GH_AW_PROMPT, "utf8") }));
console.error("my token is " + process.env.COPILOT_CONNECTION_TOKEN);
console.log("the answer, with " + Buffer.from(process.env.COPILOT_CONNECTION_TOKEN).toString("base64"));
`;

const credential = "ghs_canaryOfTheCredential0123456789";

/** What a runner's environment may hold: tokens, OIDC, inputs, and the credential hidden under innocent names. */
const poison: Record<string, string> = {
  ...Object.fromEntries(
    [
      "GITHUB_TOKEN",
      "GH_TOKEN",
      "COPILOT_GITHUB_TOKEN",
      "GITHUB_PAT",
      "GH_ENTERPRISE_TOKEN",
      "NPM_TOKEN",
      "NODE_AUTH_TOKEN",
      "ACTIONS_RUNTIME_TOKEN",
      "ACTIONS_RUNTIME_URL",
      "ACTIONS_CACHE_URL",
      "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
      "ACTIONS_ID_TOKEN_REQUEST_URL",
      "ACTIONS_RESULTS_URL",
      "INPUT_GITHUB-TOKEN",
      "INPUT_PROVIDER-API-KEY",
      "INPUT_PROMPT",
      "GITHUB_ENV",
      "GITHUB_OUTPUT",
      "GITHUB_PATH",
      "GITHUB_STATE",
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "AZURE_CLIENT_SECRET",
      "GOOGLE_APPLICATION_CREDENTIALS",
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "COPILOT_PROVIDER_API_KEY",
      "DATABASE_URL",
      "SSH_AUTH_SOCK",
      "SSH_PRIVATE_KEY",
      "DOCKER_AUTH_CONFIG",
      "SLACK_TOKEN",
      "SENTRY_AUTH_TOKEN",
      "OTEL_EXPORTER_OTLP_HEADERS",
      "NODE_OPTIONS_EXTRA",
      "LD_LIBRARY_HINT",
      "BASH_ENV_HINT",
      "LC_SECRET",
      "PATH_TOKEN",
    ].map((name) => [name, `poison-${name}`]),
  ),
  LANG: credential,
  TZ: Buffer.from(credential).toString("base64"),
  LANGUAGE: Buffer.from(credential).toString("hex"),
  HTTPS_PROXY: `http://proxy.example/${credential}`,
  OTEL_SERVICE_NAME: [...credential].reverse().join(""),
};

type Inside = { env: Record<string, string>; argv: string[]; prompt: string };

let world: HarnessWorld;
let run: ReturnType<HarnessWorld["start"]>;
let sidecar: Inside;
let driver: Inside;

beforeAll(async () => {
  world = createHarnessWorld();
  const [sidecarOut, driverOut] = [`${world.folder}/sidecar.json`, `${world.folder}/driver.json`];
  run = world.start(
    {
      credential: { kind: "copilot", token: credential },
      runtimePath: world.write("runtime", stubRuntime(sidecarOut)),
      driver: [process.execPath, world.write("driver.mjs", stubDriver(driverOut))],
      agentEnvironment: ["PASSED_BY_NAME"],
      permissions: { allowedTools: ["read"] },
      maxToolDenials: 5,
      stallTimeoutMs: 1000,
      maxAiCredits: 2.5,
      reasoningEffort: "low",
      customInstructions: false,
    },
    {
      ...poison,
      PASSED_BY_NAME: "yes",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector",
      NO_PROXY: "localhost",
    },
  );
  await run.ended;
  sidecar = JSON.parse(readFileSync(sidecarOut, "utf8")) as Inside;
  driver = JSON.parse(readFileSync(driverOut, "utf8")) as Inside;
});
afterAll(() => world.remove());

const tokenOf = (): string => driver.env["COPILOT_CONNECTION_TOKEN"] ?? "";

describe("isolation", () => {
  it("poisons the parent with at least forty variables", () => {
    expect(Object.keys(poison).length).toBeGreaterThanOrEqual(40);
  });

  it("T-CSD-007: sidecar and driver get the same token, masked first, and never in arguments", () => {
    expect(tokenOf()).toMatch(/^[0-9a-f]{64}$/);
    expect(sidecar.env["COPILOT_CONNECTION_TOKEN"]).toBe(tokenOf());
    const masks = run.said.flatMap(({ mask }) => mask ?? []);
    expect(masks).toEqual([credential, tokenOf()]);
    const firstUse = run.said.findIndex(({ started }) => started?.pid !== undefined);
    expect(run.said.findIndex(({ mask }) => mask === tokenOf())).toBeLessThan(firstUse);
    expect([...sidecar.argv, ...driver.argv].join(" ")).not.toContain(tokenOf());
  });

  it("T-CSD-007: the token is in no log and no result, even when a driver prints it", async () => {
    const { result } = await run.ended;
    const out = run.said
      .filter(({ mask }) => mask === undefined)
      .map((said) => JSON.stringify(said))
      .join("\n");
    expect(out).toContain("my token is [redacted]");
    expect(result?.output).toMatch(/^the answer, with \[redacted\]/);
    for (const secret of [tokenOf(), credential])
      for (const form of [
        secret,
        Buffer.from(secret).toString("base64").slice(0, -4),
        Buffer.from(secret).toString("hex"),
      ])
        expect(out).not.toContain(form);
  });

  it("T-CSD-008: the driver gets exactly the contract, locale, PATH, HOME and temp", () => {
    expect(Object.keys(driver.env).sort()).toEqual(
      [
        "COPILOT_CONNECTION_TOKEN",
        "COPILOT_MODEL",
        "COPILOT_REASONING_EFFORT",
        "COPILOT_SDK_CUSTOM_INSTRUCTIONS",
        "COPILOT_SDK_LOG_LEVEL",
        "COPILOT_SDK_MAX_AI_CREDITS",
        "COPILOT_SDK_PERMISSIONS",
        "COPILOT_SDK_RESULT_FILE",
        "COPILOT_SDK_SEND_TIMEOUT_MS",
        "COPILOT_SDK_STALL_TIMEOUT_MS",
        "COPILOT_SDK_URI",
        "GH_AW_MAX_TOOL_DENIALS",
        "GH_AW_PROMPT",
        "GH_AW_SESSION_STATE_BASE_DIR",
        "GITHUB_WORKSPACE",
        "HOME",
        "PATH",
        "TMPDIR",
      ].sort(),
    );
    expect(driver.env).toMatchObject({
      COPILOT_REASONING_EFFORT: "low",
      COPILOT_SDK_CUSTOM_INSTRUCTIONS: "false",
      COPILOT_SDK_MAX_AI_CREDITS: "2.5",
      COPILOT_SDK_PERMISSIONS: '{"allowedTools":["read"]}',
      COPILOT_SDK_SEND_TIMEOUT_MS: "90000",
      GH_AW_MAX_TOOL_DENIALS: "5",
      GITHUB_WORKSPACE: world.workspace,
    });
    expect(driver.prompt).toBe("Do what the script says.");
  });

  it("the sidecar gets exactly its list, one credential, and what was passed by name", () => {
    expect(Object.keys(sidecar.env).sort()).toEqual(
      [
        "COPILOT_CONNECTION_TOKEN",
        "COPILOT_GITHUB_TOKEN",
        "COPILOT_HOME",
        "HOME",
        "NO_PROXY",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "PASSED_BY_NAME",
        "PATH",
        "TMPDIR",
      ].sort(),
    );
    expect(sidecar.env["COPILOT_GITHUB_TOKEN"]).toBe(credential);
    expect(sidecar.env["COPILOT_HOME"]?.startsWith(world.temporary)).toBe(true);
  });

  it("no poison gets through to either", () => {
    const held = { ...sidecar.env, COPILOT_GITHUB_TOKEN: "" };
    for (const value of Object.values(poison)) {
      expect(JSON.stringify(held)).not.toContain(value);
      expect(JSON.stringify(driver.env)).not.toContain(value);
    }
  });

  it("leaves nothing behind", async () => {
    expect(await world.leftBehind()).toEqual([]);
  });
});

describe("a clumsy user", () => {
  it.each([
    [
      "a classic token",
      { credential: { kind: "copilot" as const, token: "ghp_0123456789abcdef" } },
      "authentication",
      "classic",
    ],
    [
      "a platform token passed by name",
      { agentEnvironment: ["GH_TOKEN"] },
      "configuration",
      "GH_TOKEN is never passed",
    ],
    [
      "a provider without a real address",
      {
        credential: {
          kind: "provider" as const,
          provider: { type: "openai" as const, baseUrl: "nonsense", apiKey: "k" },
        },
      },
      "configuration",
      "base URL is not a URL",
    ],
    ["a temporary folder that is not there", { temporaryDirectory: "/nowhere" }, "configuration", "/nowhere"],
    ["a workspace that is not there", { workspace: "/nowhere/either" }, "configuration", "/nowhere/either"],
  ])("with %s is told before anything starts", async (_, settings, kind, message) => {
    const refused = world.start(settings);
    const { result } = await refused.ended;
    expect(result?.errorKind).toBe(kind);
    expect(result?.message).toContain(message);
    expect(refused.said.some(({ started }) => started?.pid !== undefined)).toBe(false);
    expect(await world.leftBehind()).toEqual([]);
  });
});
