import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import type { HarnessResult } from "../../src/harness/settings.ts";
import { openCommandLine, type CommandLine } from "../support/command-line.ts";
import { nodes } from "../support/nodes.ts";

let cli: CommandLine;
let api: ScriptedApi;
beforeAll(async () => {
  cli = openCommandLine();
  api = await startScriptedApi({
    turns: [
      { toolCalls: [{ name: "bash", arguments: { command: "echo hi", description: "x", mode: "sync" } }] },
      { text: "The answer." },
    ],
  });
});
afterAll(async () => {
  await api.close();
  cli.remove();
});

const key = "key-of-the-caller-1234";
const provider = () => ["--provider-base-url", `${api.url}/v1`, "--model", "some-model"];
const run = (args: string[], options: Parameters<CommandLine["run"]>[1] = {}) =>
  cli.run(["run", ...args], { environment: { COPILOT_DRIVER_PROVIDER_API_KEY: key }, ...options });

it.each(nodes)(
  "prints the answer alone on stdout, and one line per tool call on stderr, on %s",
  async (_, node) => {
    const { status, stdout, stderr } = await run(["Do it.", ...provider(), "-a", "shell(echo)"], {
      node,
      environment: { COPILOT_DRIVER_PROVIDER_API_KEY: key },
    });
    expect(stdout).toBe("The answer.\n");
    expect(stderr).toMatch(/✓ bash echo hi/);
    expect(status).toBe(0);
    const report = /Report: (\S+)/.exec(stderr)?.[1] ?? "";
    expect(readFileSync(fileURLToPath(report), "utf8")).toContain("<!doctype html>");
  },
);

it("gives the provider its key, and nobody else", async () => {
  const { stdout, stderr } = await run(["Do it.", ...provider(), "--json", "--log-level", "debug"]);
  const authorized = api.requests.filter(({ headers }) => headers.authorization === `Bearer ${key}`);
  expect(authorized.length).toBeGreaterThan(0);
  expect(stdout + stderr).not.toContain(key);
  const result = JSON.parse(stdout) as HarnessResult;
  expect(result).toMatchObject({ outcome: "completed", denials: [{ kind: "shell", reason: "no-rule" }] });
});

it("takes the prompt from a file or from standard input", async () => {
  const file = join(cli.folder, "prompt.md");
  writeFileSync(file, "From a file.");
  expect((await run(["-f", file, ...provider()])).status).toBe(0);
  expect(
    (await run(provider(), { input: "From a pipe.", environment: { COPILOT_DRIVER_PROVIDER_API_KEY: key } }))
      .status,
  ).toBe(0);
  const prompts = JSON.stringify(api.requests.map(({ body }) => body));
  expect(prompts).toContain("From a file.");
  expect(prompts).toContain("From a pipe.");
});

it("fails where the caller wanted nothing to be denied, with the exit code of a denial", async () => {
  const { status, stderr } = await run(["Do it.", ...provider(), "--fail-on-denied"]);
  expect(status).toBe(3);
  expect(stderr).toContain("1 request was denied");
});

it("says which credential it uses, and refuses one that Copilot does not accept before anything starts", async () => {
  const { status, stderr } = await run(["Do it."], { environment: { GH_TOKEN: `ghp_${"a1B2".repeat(10)}` } });
  expect(status).not.toBe(0);
  expect(stderr).toContain("Using the credential of GH_TOKEN");
  expect(stderr).toContain("fine-grained");
});

it.each([
  ["no credential", ["Do it."], "copilot-driver rehearse"],
  ["no prompt", ["--rehearsal", "nowhere.yml"], "nowhere.yml"],
  ["two prompts", ["Do", "it", "--rehearsal", "default"], "Quote the prompt"],
  [
    "several mistakes",
    ["x", "--rehearsal", "default", "--retries", "many", "--timeout-minutes=-1"],
    "retries",
  ],
  ["an unknown option", ["x", "--alow-all-tools"], "--allow-all-tools"],
])("refuses %s with a way out", async (_what, args, hint) => {
  const { status, stderr, stdout } = await run(args, { environment: {} });
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain(hint);
});
