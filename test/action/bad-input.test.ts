import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createJob, jobToken, type Job } from "../support/runner.ts";

let job: Job;
beforeAll(() => {
  job = createJob();
  job.write("empty.md", "");
  job.write("binary.md", "\u0000");
  writeFileSync(join(job.workspace, "latin.md"), Buffer.from([0xe9, 0x20, 0xff]));
  job.write("big.md", "x".repeat(20 * 1024 * 1024));
  job.write("servers.json", '{\n  "mcpServers": {\n    "one": {"command": "x"},\n  }\n}\n');
  job.write("script.yml", "steps: 3\n");
});
afterAll(() => job.remove());

const good = { prompt: "Do it." };

describe("a bad input ends the step before anything starts, with what to do", () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ["neither prompt", {}, /give prompt or prompt-file/],
    ["both prompts", { ...good, "prompt-file": "x.md" }, /prompt or prompt-file, not both/],
    ["a prompt file that is missing", { "prompt-file": "none.md" }, /none\.md does not exist/],
    ["a prompt file that is empty", { "prompt-file": "empty.md" }, /empty\.md is empty/],
    ["a prompt file that is no text", { "prompt-file": "latin.md" }, /latin\.md is not UTF-8 text/],
    ["a prompt file of 20 MB", { "prompt-file": "big.md" }, /20 MiB .*ask the agent to read it/],
    [
      "a flag that is neither",
      { ...good, report: "yes" },
      /report: "yes" is not allowed; allowed: true, false/,
    ],
    [
      "a rule in another dialect",
      { ...good, "allowed-tools": "read\nBash(git:*)" },
      /Perhaps `shell\(git:\*\)`/,
    ],
    [
      "a schema that is none",
      { ...good, "output-schema": '{"type": 7}' },
      /output-schema is not a valid JSON Schema/,
    ],
    [
      "an MCP file with a mistake",
      { ...good, "mcp-config": "servers.json" },
      /servers\.json .*line 4, column 3/,
    ],
    ["a directory that is not there", { ...good, "working-directory": "x" }, /x is not a directory/],
    ["a directory outside", { ...good, "working-directory": "/" }, /outside the workspace/],
    ["a script with a mistake", { rehearsal: "script.yml" }, /script\.yml:1:8: /],
    [
      "an input that does not exist",
      { ...good, allowed_tools: "write" },
      /there is no such input; perhaps allowed-tools/,
    ],
  ])("%s", async (_what, inputs, message) => {
    const run = await job.run(inputs);
    expect(run.exitCode).toBe(2);
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "configuration", result: "" });
    const errors = run.annotations.filter(({ name }) => name === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]?.data).toMatch(message);
    expect(errors[0]?.properties["title"]).toMatch(/^[A-Z].*\.$/);
    expect(run.summary).toContain("configuration");
    expect(run.visible).not.toContain("The agent at work");
  });

  it("names all mistakes at once", async () => {
    const run = await job.run({ retries: "-1", "log-level": "loud", "fail-on-denied": "perhaps" });
    const message = run.annotations.map(({ data }) => data).join("\n");
    for (const name of ["prompt:", "retries:", "log-level:", "fail-on-denied:"])
      expect(message).toContain(name);
  });

  it("a token of the wrong kind, named without being shown", async () => {
    const token = `ghp_${"classic0".repeat(5)}`;
    const run = await job.run({ ...good, "github-token": token });
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "authentication" });
    const [error] = run.annotations;
    expect(error?.data).toContain("classic personal access token");
    expect(error?.properties["title"]).toContain("copilot-requests: write");
    expect(run.raw).not.toContain(token);
  });

  it("no place for the outputs", async () => {
    const run = await job.run(good, { GITHUB_OUTPUT: undefined });
    expect(run.exitCode).toBe(2);
    expect(run.annotations[0]?.data).toContain("GITHUB_OUTPUT is not set");
    expect(run.annotations[0]?.properties["title"]).toContain("2.297");
    expect(run.visible).toContain("conclusion: failed");
    const gone = await job.run(good, { GITHUB_OUTPUT: "/nowhere/output" });
    expect(gone.annotations.at(-1)?.data).toContain("GITHUB_OUTPUT: the file cannot be written");
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["GITHUB_STATE", { GITHUB_STATE: "/nowhere/state" }, /GITHUB_STATE: the file cannot be written/],
    ["RUNNER_TEMP", { RUNNER_TEMP: "/nowhere" }, /temporary folder .*\/nowhere/],
    [
      "GITHUB_API_URL",
      { GITHUB_EVENT_NAME: "issues", GITHUB_API_URL: "not an address" },
      /GITHUB_API_URL: not an address is no web address/,
    ],
  ])("a world in which %s is wrong", async (_name, environment, message) => {
    const run = await job.run(good, environment);
    expect(run.exitCode).toBe(2);
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "configuration" });
    expect(run.annotations.at(-1)?.data).toMatch(message);
  });

  it("but not a variable of the job that only looks like an input", async () => {
    const run = await job.run({ ...good, retries: "many" }, { INPUT_FILE: "data.csv" });
    expect(run.annotations[0]?.data).toMatch(/^configuration: retries: [^;]*; allowed: [^;]*$/);
  });

  it("a runtime that does not exist", async () => {
    const run = await job.run({ ...good, "runtime-path": "no-runtime" });
    expect(run.annotations[0]?.data).toMatch(/runtime-path: .*no-runtime is not a file/);
    expect(run.raw).not.toContain(jobToken);
  });
});
