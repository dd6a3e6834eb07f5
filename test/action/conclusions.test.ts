import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { parseState } from "../../src/action/saved-state.ts";
import { listProcesses } from "../../src/harness/process-table.ts";
import { action, createJob, jobToken, type Command, type Job, type StepRun } from "../support/runner.ts";

let job: Job;
beforeEach(() => (job = createJob()));
afterEach(() => job.remove());

const script = (steps: object[], more: object = {}): string =>
  job.write("script.yml", JSON.stringify({ steps, ...more }));
const failure = (run: StepRun): Command[] => run.annotations.filter(({ name }) => name === "error");

/** What each place that somebody looks at says about how it ended. */
const told = (run: StepRun) => {
  const record = readFileSync(join(dirname(run.outputs["events-file"] ?? ""), "result.json"), "utf8");
  const { outcome, exitCode, errorKind, expectations } = JSON.parse(record) as Record<string, unknown>;
  const report = readFileSync(run.outputs["report-file"] ?? "", "utf8");
  return {
    headline: /^## (\S+ [\w: ]+?) after/.exec(run.summary)?.[1],
    report: /"outcome":"([\w-]+)"/.exec(report)?.[1],
    record: { outcome, exitCode, errorKind, expectations },
  };
};

describe("a run that completes", () => {
  it("says what it may do, each tool call, the answer, and sets every output", async () => {
    const run = await job.run({ rehearsal: "default" });
    expect(run.exitCode).toBe(0);
    expect(Object.keys(run.outputs).sort()).toEqual(Object.keys(action.outputs).sort());
    expect(run.outputs).toMatchObject({
      conclusion: "completed",
      "error-kind": "",
      "denied-count": "1",
      "input-tokens": "8100",
      "output-tokens": "300",
      model: "rehearsal",
      "structured-output": "",
    });
    expect(run.outputs["result"]).toMatch(/^The greeting had a typing error/);
    expect(run.outputs["runtime-version"]).toMatch(/^\d+\.\d+\.\d+/);
    expect(Number(run.outputs["duration-ms"])).toBeGreaterThan(0);
    const [denial] = JSON.parse(run.outputs["denials"] ?? "") as Record<string, unknown>[];
    expect(denial).toMatchObject({ kind: "shell", reason: "no-rule", part: "git push origin main" });
    expect(readFileSync(run.outputs["result-file"] ?? "", "utf8")).toBe(run.outputs["result"]);
    expect(readFileSync(run.outputs["events-file"] ?? "", "utf8")).toContain(run.outputs["session-id"]);
    expect(readFileSync(run.outputs["report-file"] ?? "", "utf8")).toMatch(/^<!doctype html>/);

    expect(run.visible).toMatch(/^ {2}shell\(node check\.js\)$/m);
    expect(run.visible).toMatch(/^✓ view {2}greet\.js {2}\(/m);
    expect(run.visible).toMatch(/^⛔ bash {2}git push origin main {2}\(.*denied: No shell entry allows/m);
    const groups = run.commands.filter(({ name }) => name === "group").map(({ data }) => data);
    expect(groups).toEqual([
      "The agent may do what 3 rules allow",
      "The agent at work",
      "The agent's answer",
    ]);
    expect(run.commands.filter(({ name }) => name === "endgroup")).toHaveLength(groups.length);

    expect(run.summary).toContain("Completed after");
    expect(run.summary).toContain("The greeting had a typing error");
    expect(run.summary).toContain("```mermaid");
    expect(run.summary).toContain(
      "allowed-tools: |\n  read\n  write\n  shell(node check.js)\n  shell(git push:*)\n```",
    );
    expect(run.annotations.filter(({ data }) => data.includes("git push"))).toHaveLength(1);
    expect(failure(run)).toEqual([]);
    expect(run.raw).not.toContain(jobToken);
  });

  it("writes no report and follows no instructions when none are wanted", async () => {
    const rehearsal = script([{ say: "Hello." }]);
    const run = await job.run({ rehearsal, report: "false", "custom-instructions": "false" });
    expect(run.visible).toContain("the repository's instructions: not followed (custom-instructions)");
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(run.outputs["report-file"] ?? "").toBe("");
  });

  it("works in the workspace when the script brings no files of its own", async () => {
    const rehearsal = script([
      { tool: "create", with: { path: "{{workspace}}/note.txt", file_text: "written" } },
      { say: "Done." },
    ]);
    const run = await job.run({ rehearsal, "allowed-tools": "write" });
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(readFileSync(`${job.workspace}/note.txt`, "utf8")).toBe("written");
  });

  it("gives the answer as data when a schema is asked for, and keeps neither schema nor servers", async () => {
    const schema = { type: "object", required: ["label"], properties: { label: { enum: ["bug", "idea"] } } };
    const run = await job.run({
      rehearsal: script([{ say: 'Here it is:\n```json\n{"label": "bug"}\n```' }]),
      "output-schema": JSON.stringify(schema),
      "mcp-config": '{"mcpServers": {}}',
    });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.outputs["structured-output"] ?? "")).toEqual({ label: "bug" });
    expect(readdirSync(dirname(run.outputs["result-file"] ?? "")).sort()).toEqual([
      "answer.md",
      "events",
      "report.html",
    ]);
  });
});

describe("a run that fails", () => {
  it("shows why the answer does not fit the schema, after one attempt to repair it", async () => {
    const run = await job.run({
      rehearsal: script([{ say: '{"label": "odd"}' }, { say: '{"label": "odder"}' }]),
      "output-schema": '{"properties": {"label": {"enum": ["bug", "idea"]}}}',
    });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({
      conclusion: "failed",
      "error-kind": "invalid-output",
      "structured-output": "",
    });
    expect(failure(run)[0]?.data).toMatch(/\/label must be equal to one of/);
  });

  it("names the model's refusal with its advice, in one annotation and in the summary", async () => {
    const error = {
      status: 400,
      code: "model_not_supported",
      message: "The requested model is not supported.",
    };
    const run = await job.run({ rehearsal: script([{ error }]), retries: "0" });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "model-unavailable" });
    expect(failure(run)).toHaveLength(1);
    expect(failure(run)[0]?.properties["title"]).toContain("Choose a model");
    expect(run.summary).toContain("Choose a model");
  });

  it("is red when there is no answer, unless the work alone counts", async () => {
    const empty = await job.run({ rehearsal: script([{ say: "" }]), retries: "0" });
    expect(empty.exitCode).toBe(1);
    expect(empty.outputs).toMatchObject({ conclusion: "failed", "error-kind": "empty-answer" });
    const wanted = await job.run({
      rehearsal: script([{ say: "" }]),
      retries: "0",
      "fail-on-empty": "false",
    });
    expect(wanted.exitCode).toBe(0);
    expect(wanted.outputs["conclusion"]).toBe("completed");
    expect(wanted.summary).not.toContain("fail-on-empty");
    expect(told(wanted)).toEqual({
      headline: "✅ Completed",
      report: "completed",
      record: { outcome: "completed", exitCode: 0 },
    });
  });

  it("is red when the structured answer is longer than an output may be", async () => {
    const run = await job.run({
      rehearsal: script([{ say: JSON.stringify({ text: "x".repeat(300_000) }) }]),
      "output-schema": '{"type": "object"}',
    });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({
      conclusion: "failed",
      "error-kind": "invalid-output",
      "structured-output": "",
    });
    expect(told(run)).toEqual({
      headline: "❌ Failed",
      report: "failed",
      record: { outcome: "failed", exitCode: 1, errorKind: "invalid-output" },
    });
  });

  it("is red when another driver ends well without an answer", async () => {
    const driver = job.write("silent.mjs", "");
    const run = await job.run({ rehearsal: script([{ hang: true }]), driver });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "empty-answer" });
  });

  it("does not claim to know what another driver did that left no record", async () => {
    const driver = job.write("terse.mjs", 'console.log("Done.");');
    const run = await job.run({ rehearsal: script([{ hang: true }]), driver });
    expect(run.outputs).toMatchObject({ conclusion: "completed", "denied-count": "", denials: "" });
    expect(run.annotations.map(({ data }) => data).join("\n")).toContain("this driver left no record");
    expect(run.summary).toContain("this driver left no record");
  });

  it("is red when something was denied and that was to fail", async () => {
    const rehearsal = script([{ tool: "bash", with: { command: "ls" } }, { say: "I could not." }]);
    const run = await job.run({ rehearsal, "fail-on-denied": "true" });
    expect(run.exitCode).toBe(3);
    expect(run.outputs).toMatchObject({ conclusion: "denied", "error-kind": "denied", "denied-count": "1" });
    expect(run.outputs["result"]).toContain("I could not.");
    expect(told(run)).toEqual({
      headline: "⛔ Denied",
      report: "denied",
      record: { outcome: "denied", exitCode: 3, errorKind: "denied" },
    });
  });

  it("ends when the budget of denials is spent", async () => {
    const steps = ["ls", "pwd", "id"].map((command) => ({ tool: "bash", with: { command } }));
    const run = await job.run({ rehearsal: script([...steps, { say: "Never." }]), "max-tool-denials": "2" });
    expect(run.exitCode).toBe(3);
    expect(run.outputs).toMatchObject({ conclusion: "denied", "denied-count": "2" });
    const warnings = run.annotations.filter(
      ({ name, data }) => name === "warning" && data.includes("(no-rule)"),
    );
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.data.split("\n")).toHaveLength(2);
  });

  it("is timed out when the model hangs, with the usage so far", async () => {
    const rehearsal = script([
      { tool: "glob", with: { pattern: "*" }, usage: { input: 70, output: 7 } },
      { hang: true },
    ]);
    const run = await job.run({ rehearsal, "timeout-minutes": "0.6" });
    expect(run.exitCode).toBe(124);
    expect(run.outputs).toMatchObject({
      conclusion: "timed-out",
      "error-kind": "timeout",
      "input-tokens": "70",
    });
    expect(run.summary).toContain("Timed out");
  });

  it("is red when a rehearsal goes otherwise than its script expects", async () => {
    const rehearsal = script([{ tool: "bash", with: { command: "ls" }, expect: "approved" }, { say: "Hm." }]);
    const run = await job.run({ rehearsal });
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "unmet-expectation" });
    expect(failure(run)[0]?.data).toMatch(/- step 1 {2}bash ls {2}approved/);
    expect(told(run)).toEqual({
      headline: "❌ Expectations not met: failed",
      report: "failed",
      record: {
        outcome: "failed",
        exitCode: 1,
        errorKind: "unmet-expectation",
        expectations: [{ text: expect.stringContaining("step 1") as unknown, ok: false }],
      },
    });
  });
});

const isRunning = (pid: number): boolean =>
  listProcesses().some((entry) => entry.pid === pid && !entry.isZombie);

const expectCancelled = (run: StepRun, exitCode: number): void => {
  expect(run.exitCode).toBe(exitCode);
  expect(run.outputs).toMatchObject({ conclusion: "cancelled", "error-kind": "cancelled", result: "" });
  expect(failure(run)).toHaveLength(1);
  expect(run.summary).toContain("Cancelled");
};

const expectNothingLeft = async (run: StepRun): Promise<void> => {
  const state = parseState(run.state["copilot-driver"] ?? "");
  expect(state?.processes).toHaveLength(2);
  for (const { pid } of state?.processes ?? []) expect(isRunning(pid)).toBe(false);
  expect(readdirSync(job.temporary)).toEqual([
    expect.stringMatching(/^copilot-driver-record-/) as unknown as string,
  ]);
  expect((await job.post(run.state)).visible).toContain("The step has cleaned up after itself.");
};

describe("a job that is cancelled", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "by %s ends the agent, sets the outputs and says so",
    async (signal) => {
      const rehearsal = script([{ tool: "glob", with: { pattern: "*" } }, { hang: true }]);
      const { child, until, finished } = job.start({ rehearsal });
      await until(/✓ glob/);
      child.kill(signal);
      const run = await finished;
      expectCancelled(run, signal === "SIGINT" ? 130 : 143);
      expect(existsSync(run.outputs["events-file"] ?? "")).toBe(true);
      expect(statSync(run.outputs["report-file"] ?? "").size).toBeGreaterThan(1000);
      await expectNothingLeft(run);
    },
  );

  it("as runners do it, SIGINT and later SIGTERM, kills what hears neither and still tells how it ended", async () => {
    const driver = job.write(
      "deaf.mjs",
      `process.on("SIGTERM", () => {});
       process.on("SIGINT", () => setTimeout(() => console.error("ignored it for a while"), 1_200));
       setInterval(() => {}, 1_000);
       console.error("deaf to signals");`,
    );
    const { child, until, finished } = job.start({
      rehearsal: script([{ hang: true }]),
      driver,
      "log-level": "debug",
    });
    await until(/deaf to signals/);
    child.kill("SIGINT");
    await until(/ignored it for a while/);
    child.kill("SIGTERM");
    const run = await finished;
    expectCancelled(run, 130);
    await expectNothingLeft(run);
  });

  it("while it asks who started it has started nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const { child, finished } = job.start(
      { rehearsal: script([{ say: "Never." }]), "require-write-access": "true" },
      { GITHUB_API_URL: `http://127.0.0.1:${port}` },
    );
    await once(silent, "connection");
    child.kill("SIGINT");
    expectCancelled(await finished, 130);
    silent.close();
  });

  it("in the moment before the agent starts is not forgotten", async () => {
    const { child, until, finished } = job.start({ rehearsal: script([{ hang: true }]) });
    await until(/The agent at work/);
    child.kill("SIGINT");
    expectCancelled(await finished, 130);
  });
});
