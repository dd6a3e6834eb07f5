import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startRecordingProxy } from "../../src/rehearsal/recording-proxy.ts";
import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import { openCommandLine, type CommandLine } from "../support/command-line.ts";

let cli: CommandLine;
let api: ScriptedApi;
const key = "key-of-the-caller-1234";
beforeAll(async () => {
  cli = openCommandLine();
  api = await startScriptedApi({
    turns: [
      {
        text: "Looking.",
        toolCalls: [{ name: "bash", arguments: { command: `echo ${key}`, description: "x", mode: "sync" } }],
      },
      { text: "The answer." },
    ],
  });
});
afterAll(async () => {
  await api.close();
  cli.remove();
});

it("records a run with a provider, without its key, and plays it again offline", async () => {
  const script = join(cli.folder, "recorded.yml");
  const environment = { COPILOT_DRIVER_PROVIDER_API_KEY: key };
  const provider = ["--provider-base-url", `${api.url}/v1`, "--model", "some-model"];
  const recorded = await cli.run(["record", "Do it.", ...provider, "-a", "shell(echo)", "-o", script], {
    environment,
  });
  expect(recorded).toMatchObject({ status: 0, stdout: "The answer.\n" });
  const text = readFileSync(script, "utf8");
  expect(text).toContain("echo [redacted]");
  expect(text).not.toContain(key);

  const played = await cli.run(["rehearse", script, "--json"]);
  expect(played.status).toBe(0);
  expect(JSON.parse(played.stdout)).toMatchObject({
    result: { output: "The answer.", tools: [{ name: "bash", calls: 1 }] },
  });

  const again = await cli.run(["record", "Do it.", ...provider, "-o", script], { environment });
  expect(again.status).toBe(2);
  expect(again.stderr).toContain("--force");
});

it("asks no model before it knows that the script can be written", async () => {
  const script = join(cli.folder, "nowhere", "x.yml");
  const { length } = api.requests;
  const provider = ["--provider-base-url", `${api.url}/v1`, "--model", "some-model"];
  const { status, stderr } = await cli.run(["record", "Do it.", ...provider, "-o", script]);
  expect({ status, asked: api.requests.length - length }).toEqual({ status: 2, asked: 0 });
  expect(stderr).toContain(`Cannot write ${script}`);
});

it("records a run with a Copilot credential", async () => {
  const script = join(cli.folder, "copilot.yml");
  const environment = { COPILOT_GITHUB_TOKEN: `github_pat_${"a1B2".repeat(10)}`, COPILOT_API_URL: api.url };
  const { status, stdout } = await cli.run(["record", "Do it.", "-m", api.model, "-o", script], {
    environment,
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "The answer.\n" });
  expect(readFileSync(script, "utf8")).toContain("The answer.");
});

it("refuses the Responses API, whether the caller says so or the model's calls show it", async () => {
  const script = join(cli.folder, "responses.yml");
  const environment = { COPILOT_DRIVER_PROVIDER_API_KEY: key };
  const provider = ["--provider-base-url", `${api.url}/v1`, "--model", "some-model"];
  const said = await cli.run(["record", "x", ...provider, "--provider-wire-api", "responses", "-o", script], {
    environment,
  });
  expect(said.status).toBe(2);
  expect(said.stderr).toContain("--provider-wire-api completions");
  expect(existsSync(script)).toBe(false);

  const proxy = await startRecordingProxy(api.url);
  try {
    await fetch(`${proxy.url}/chat/completions`, { method: "POST", body: "{}" });
    expect(proxy.missedSome()).toBe(false);
    await fetch(`${proxy.url}/v1/responses`, { method: "POST", body: "{}" });
    expect(proxy.missedSome()).toBe(true);
  } finally {
    await proxy.close();
  }
});
