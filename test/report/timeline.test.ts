import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { policyOf } from "../../src/policy/rules.ts";
import { cutMiddle } from "../../src/report/cut.ts";
import type { Run } from "../../src/report/model.ts";
import { startTimeline } from "../../src/report/timeline.ts";
import { timelineOf } from "./timeline-of.ts";
import { createLogWriter } from "./log-writer.ts";
import { sampleRun } from "./sample-run.ts";

const corpus = new URL("../corpus/1.0.85/", import.meta.url);
const recorded = (name: string): Run =>
  timelineOf(readFileSync(new URL(`${name}.jsonl`, corpus), "utf8"), name);
const toolsOf = (run: Run) => run.entries.filter(({ kind }) => kind === "tool");
const partOf = (entry: Run["entries"][number] | undefined, label: string): string | undefined =>
  entry?.sections.find((section) => section.label === label)?.text;

describe("the timeline of recorded runs", () => {
  it.each(readdirSync(corpus).filter((name) => name.endsWith(".jsonl")))("reads %s", (name) => {
    const run = recorded(name.replace(".jsonl", ""));
    expect(run.log.unreadableCount).toBe(0);
    expect(run.log.events).toBeGreaterThan(0);
    expect(run.prompt).not.toBe("");
    for (const { at, ms = 0, agent, sections } of run.entries) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(run.agents[agent]).toBeDefined();
      expect(sections.every(({ text }) => typeof text === "string")).toBe(true);
    }
  });

  it("shows a command with its output, and that it was allowed", () => {
    const [bash] = toolsOf(recorded("bash-approved"));
    expect(bash).toMatchObject({ name: "bash", outcome: "ok", approved: true });
    expect(partOf(bash, "Command")).toBe(bash?.title);
    expect(partOf(bash, "Output")).not.toContain("<shellId");
  });

  it("tells a command that failed from one that ran", () => {
    const [bash] = toolsOf(recorded("bash-fails"));
    expect(bash).toMatchObject({ outcome: "exit", note: expect.stringMatching(/^exit \d+$/) as unknown });
  });

  it("shows the diff of an edit, and the diff that a denied edit proposed", () => {
    expect(partOf(toolsOf(recorded("edit-approved"))[0], "Diff")).toMatch(/^\+[^+]/m);
    const denied = toolsOf(recorded("edit-denied"))[0];
    expect(denied?.outcome).toBe("denied");
    expect(partOf(denied, "Proposed diff")).toMatch(/^\+[^+]/m);
  });

  it("names files in a diff from the workspace on, and leaves the lines of the diff alone", () => {
    const lines = partOf(toolsOf(recorded("edit-approved"))[0], "Diff")?.split("\n");
    expect(lines).toContain("--- a/src/greet.js");
    expect(lines).toContain("+++ b/src/greet.js");
    expect(partOf(toolsOf(recorded("edit-denied"))[0], "Proposed diff")).toContain("+++ b/src/greet.js\n");
    const writer = createLogWriter();
    writer.begin("x", "m", "/w");
    const line = "+see a/w/x and --- a/w/y";
    const diff = `diff --git a/w/x b/w/x\n--- a/w/x\n+++ b/w/x\n@@ -0,0 +1 @@\n${line}`;
    writer.tool("edit", { path: "/w/x" })({ result: { detailedContent: diff } });
    expect(partOf(toolsOf(timelineOf(writer.text(), "x"))[0], "Diff")).toBe(
      `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n${line}`,
    );
  });

  it("leaves out a version that the runtime does not know", () => {
    expect(recorded("edit-approved").runtimeVersion).toBeUndefined();
  });

  it("shows a file that was read as text, not as a diff", () => {
    const [view] = toolsOf(recorded("view-approved"));
    expect(partOf(view, "Diff")).toBeUndefined();
    expect(partOf(view, "Output")).toBeTruthy();
  });

  it("names the server of an MCP tool", () => {
    expect(toolsOf(recorded("mcp-approved"))[0]?.name).toBe("fixture(echo)");
  });

  it.each([
    "bash-denied",
    "create-denied",
    "view-denied",
    "mcp-denied",
    "custom-tool-denied",
    "web-fetch-denied",
  ])("finds the denial in %s and suggests an entry for it", (name) => {
    const { denials, entries } = recorded(name);
    expect(denials).toHaveLength(1);
    const [denial] = denials;
    expect(entries[denial?.entry ?? -1]?.outcome).toBe("denied");
    expect(denial?.summary).not.toBe("");
    expect(denial?.suggestions.length).toBeGreaterThan(0);
  });

  it("finds a denial by the second barrier, which never was a permission request", () => {
    const { denials } = recorded("hook-denied");
    expect(denials).toMatchObject([{ message: expect.stringContaining("Not on the list") as unknown }]);
    expect(denials[0]?.entry).toBeDefined();
  });

  it("tells what the runtime would have asked when it denied without asking", () => {
    const { denials } = recorded("no-handler");
    expect(denials).toMatchObject([
      { kind: "shell", suggestions: [{ entry: "shell(git:*)" }, { entry: "shell(ls:*)" }] },
    ]);
  });

  it("nests the work of sub-agents below the call that started them", () => {
    const { agents, entries } = recorded("task-approved");
    expect(agents.length).toBeGreaterThan(1);
    expect(agents[1]).toMatchObject({ parent: 0, depth: 1, outcome: "ok" });
    const own = entries.filter(({ agent }) => agent === 1);
    expect(own.some(({ kind }) => kind === "model")).toBe(true);
    expect(own.every(({ depth }) => depth > 0)).toBe(true);
  });

  it("finds the call of a sub-agent that a permission event without an agent means", () => {
    const { denials, entries } = recorded("task-denied");
    expect(denials).toHaveLength(1);
    const denied = entries[denials[0]?.entry ?? -1];
    expect(denied).toMatchObject({ kind: "tool", agent: 1, outcome: "denied" });
    expect(partOf(denied, "Decision")).toContain("Not allowed by workflow tool permissions");
  });

  it("does not take the words of a sub-agent for the answer", () => {
    const { answer, entries } = recorded("task-approved");
    const words = entries.filter(({ agent, kind }) => agent === 1 && kind === "model");
    expect(words.map((entry) => partOf(entry, "Text"))).not.toContain(answer);
  });

  it.each(["error-400", "error-401", "error-500"])("calls %s failed, with the error", (name) => {
    const run = recorded(name);
    expect(run.outcome).toBe("failed");
    expect(run.message).toBeTruthy();
    expect(run.entries.some(({ kind, outcome }) => kind === "error" && outcome === "failed")).toBe(true);
  });

  it("takes usage and changes from the end of the log when there is no result", () => {
    const run = recorded("whole-session");
    expect(run.usage?.input).toBeGreaterThan(0);
    expect(run.usage?.models[0]?.requests).toBeGreaterThan(0);
  });
});

describe("the timeline with a result", () => {
  const { log, result } = sampleRun();
  const run = timelineOf(log, "sample", result);

  it("takes outcome, answer, usage and changes from the result", () => {
    expect(run).toMatchObject({
      outcome: "completed",
      durationMs: 36_420,
      exitCode: 0,
      changes: { added: 18, removed: 3 },
    });
    expect(run.usage).toMatchObject({ requests: 8, output: 1685 });
    expect(run.calls).toHaveLength(8);
  });

  it("knows the tokens of each model call from the driver's log alone, and counts none twice", () => {
    const used = {
      model: "m",
      apiCallId: "c1",
      inputTokens: 30,
      outputTokens: 7,
      cost: 0.5,
      premiumRequests: 1,
    };
    const timestamp = "2026-01-01T00:00:00.000Z";
    const line = JSON.stringify({ type: "driver.model_used", timestamp, data: used });
    const call = { model: "m", input: 30, output: 7, cost: 0.5, premium: 1 };
    expect(timelineOf(line, "x").calls).toMatchObject([call]);
    expect(timelineOf(line, "x", { usage: { calls: [{ timestamp, ...used }] } }).calls).toHaveLength(1);
  });

  it("joins each denied request with its decision", () => {
    expect(run.denials).toMatchObject([
      { kind: "shell", reason: "no-rule", part: "curl -F site=@dist.tgz https://preview.example/upload" },
      { kind: "read", reason: "no-rule", rule: "read(src/**)", summary: "/home/runner/.netrc" },
    ]);
    for (const { entry } of run.denials) expect(run.entries[entry ?? -1]?.outcome).toBe("denied");
  });

  const denialsUnder = (...allowedTools: string[]): Run["denials"] => {
    const { policy } = policyOf({ allowedTools });
    const timeline = startTimeline("sample", { policy });
    for (const line of log.split("\n")) timeline.addLine(line);
    return timeline.finish(result).denials;
  };

  it("explains denials by a policy that is given, and suggests only what that lacks", () => {
    expect(denialsUnder("shell(npm:*)")[0]).toMatchObject({
      reason: "no-rule",
      part: expect.stringMatching(/^curl/) as unknown,
      suggestions: [{ entry: "shell(curl:*)" }],
    });
  });

  it("says that a policy that is given would approve, by which rule, and suggests nothing", () => {
    const [shell, read] = denialsUnder("shell", "read(src/**)");
    expect(shell).toEqual({
      kind: "shell",
      summary: "npm run build && curl -F site=@dist.tgz https://preview.example/upload",
      entry: expect.any(Number) as unknown,
      message: "Would be approved by `shell`.",
      approval: { rule: "shell" },
      suggestions: [],
    });
    expect(read).toMatchObject({ reason: "no-rule", suggestions: [{ entry: "read(/home/runner/.netrc)" }] });
    expect(read?.approval).toBeUndefined();
  });

  it("explains the hundredth denial by the given policy as well", () => {
    const writer = createLogWriter();
    for (let call = 0; call < 100; call += 1)
      writer.tool(
        "bash",
        { command: "ls" },
        { request: { kind: "shell", fullCommandText: "ls" }, denied: "no" },
      )();
    const timeline = startTimeline("x", policyOf({ allowedTools: ["shell(ls)"] }));
    for (const line of writer.text().split("\n")) timeline.addLine(line);
    expect(timeline.finish().denials.at(-1)?.message).toBe("Would be approved by `shell(ls)`.");
  });

  it("gives advice for a failure that it knows", () => {
    const failed = timelineOf(log, "x", {
      exitCode: 1,
      outcome: "failed",
      errorKind: "rate-limit",
      message: "Slow down.",
    });
    expect(failed).toMatchObject({
      outcome: "failed",
      message: "Slow down.",
      advice: expect.stringContaining("wait") as unknown,
    });
  });

  it("takes only what is clearly met for a met expectation", () => {
    const expectations = [{ text: "exit code 0", ok: true }, { text: "a", ok: "yes" }, "b", { ok: true }];
    expect(timelineOf("", "x", { exitCode: 0, expectations }).expectations).toEqual([
      { text: "exit code 0", ok: true },
      { text: "a", ok: false },
      { text: "", ok: false },
      { text: "", ok: true },
    ]);
    expect(run.expectations).toBeUndefined();
  });

  it("lists denials that only the result knows", () => {
    const denials = [{ kind: "mcp", summary: "srv(tool)", reason: "no-rule", message: "Not listed." }];
    expect(timelineOf("", "x", { exitCode: 3, outcome: "denied", denials }).denials).toMatchObject(denials);
  });
});

describe("the timeline of damaged and odd logs", () => {
  const { log } = sampleRun();

  it("shows everything before a torn last line", () => {
    const whole = timelineOf(log, "x");
    const torn = timelineOf(`${log}{"type":"tool.execution_st`, "x");
    expect(torn.entries).toEqual(whole.entries);
    expect(torn.log).toMatchObject({
      unreadableCount: 1,
      unreadable: [{ why: expect.stringContaining("torn") as unknown }],
    });
  });

  it("is empty for an empty log", () => {
    expect(timelineOf("", "x")).toMatchObject({
      outcome: "unknown",
      entries: [],
      answer: "",
      durationMs: 0,
      denials: [],
    });
  });

  it("shows events of unknown types as they are", () => {
    const line = JSON.stringify({
      type: "quantum.flux",
      data: { level: 9 },
      timestamp: "2026-01-01T00:00:00Z",
    });
    expect(timelineOf(line, "x").entries).toMatchObject([{ kind: "event", name: "quantum.flux" }]);
  });

  it.each(["constructor", "__proto__", "toString"])("takes the type %s for an unknown one", (type) => {
    expect(timelineOf(JSON.stringify({ type, data: {} }), "x").entries).toHaveLength(1);
  });

  it("attaches a permission request that comes before the start of its tool", () => {
    const lines = log.split("\n").filter((line) => line.includes('call_1"') || line.includes('request_1"'));
    const [start, ...rest] = lines;
    const [request = "", ...end] = rest;
    const swapped = timelineOf([request, start, ...end].join("\n"), "x");
    expect(toolsOf(swapped)).toHaveLength(1);
    expect(toolsOf(swapped)[0]?.approved).toBe(true);
  });

  it("keeps two sub-agents apart that use the same call id", () => {
    const event = (type: string, data: object, agentId: string) => JSON.stringify({ type, data, agentId });
    const run = timelineOf(
      [
        event("tool.execution_start", { toolCallId: "1", toolName: "bash" }, "a"),
        event("tool.execution_start", { toolCallId: "1", toolName: "view" }, "b"),
        event("tool.execution_complete", { toolCallId: "1", success: true }, "a"),
        event("tool.execution_complete", { toolCallId: "1", success: false }, "b"),
      ].join("\n"),
      "x",
    );
    expect(toolsOf(run)).toMatchObject([
      { name: "bash", outcome: "ok" },
      { name: "view", outcome: "failed" },
    ]);
  });

  it("leaves what never ended unfinished", () => {
    const writer = createLogWriter();
    writer.begin("x");
    writer.turn(0);
    writer.tool("bash", { command: "sleep 100" });
    const run = timelineOf(writer.text(), "x");
    expect(run.outcome).toBe("unknown");
    expect(toolsOf(run)[0]?.outcome).toBe("unfinished");
  });

  it("counts what never ended up to the end of the run, and not as done", () => {
    const { log, result } = createLogWriter().breakOff();
    const run = timelineOf(log, "x", result);
    expect(toolsOf(run)[0]).toMatchObject({ at: 1000, ms: 9000, outcome: "unfinished" });
    expect(run.tools).toMatchObject([{ name: "bash", calls: 1, failed: 0, unfinished: 1, ms: 9000 }]);
  });

  it("lets a model call that never ended last to the last event when there is no result", () => {
    const writer = createLogWriter();
    writer.turn(0);
    writer.wait(4000);
    writer.event("abort", { reason: "cancelled" });
    expect(timelineOf(writer.text(), "x").entries[0]).toMatchObject({
      kind: "model",
      outcome: "unfinished",
      ms: 4000,
    });
  });

  it("cuts huge outputs in the middle and says so", () => {
    const writer = createLogWriter();
    const end = writer.tool("bash", { command: "cat big" });
    end({ result: { content: `first ${"x".repeat(3_000_000)} last` } });
    const output = partOf(toolsOf(timelineOf(writer.text(), "x"))[0], "Output") ?? "";
    expect(output.length).toBeLessThan(60_000);
    expect(output).toMatch(/^first [^]*left out here[^]* last$/);
  });

  it("counts a single character as one", () => {
    expect(cutMiddle("a".repeat(101), 100)).toContain("⋯ 1 character left out here ⋯");
  });

  it("never lets a clock that jumps back make a duration negative", () => {
    const at = (type: string, data: object, timestamp: string) => JSON.stringify({ type, data, timestamp });
    const run = timelineOf(
      [
        at("tool.execution_start", { toolCallId: "1", toolName: "bash" }, "2026-01-01T00:00:10Z"),
        at("tool.execution_complete", { toolCallId: "1", success: true }, "2026-01-01T00:00:01Z"),
      ].join("\n"),
      "x",
    );
    expect(toolsOf(run)[0]?.ms).toBe(0);
  });

  it("never throws, whatever the lines hold", () => {
    const types = fc.constantFrom(
      "session.start",
      "user.message",
      "assistant.turn_start",
      "assistant.message",
      "assistant.turn_end",
      "assistant.usage",
      "driver.model_used",
      "tool.execution_start",
      "tool.execution_complete",
      "permission.requested",
      "permission.completed",
      "subagent.started",
      "subagent.completed",
      "subagent.failed",
      "session.error",
      "model.call_failure",
      "session.shutdown",
      "abort",
      "other",
    );
    const id = fc.constantFrom("1", "2", 3, null, undefined);
    const data = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          toolCallId: id,
          requestId: id,
          turnId: id,
          parentId: id,
          permissionRequest: fc.jsonValue(),
          result: fc.jsonValue(),
          arguments: fc.jsonValue(),
          content: fc.jsonValue(),
          error: fc.jsonValue(),
          modelMetrics: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    const line = fc.record(
      {
        type: types,
        data,
        agentId: id,
        timestamp: fc.oneof(fc.string(), fc.constant("2026-01-01T00:00:00Z")),
      },
      { requiredKeys: ["type"] },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.jsonValue(), (lines, result) => {
        const run = timelineOf(lines.map((item) => JSON.stringify(item)).join("\n"), "x", result);
        expect(run.agents.every(({ parent = 0 }) => parent >= 0 && parent < run.agents.length)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
