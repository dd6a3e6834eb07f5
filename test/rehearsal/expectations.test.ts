import { readFileSync } from "node:fs";
import { defaultScript } from "../../src/rehearsal/default-script.ts";
import { checkExpectations, diffOf } from "../../src/rehearsal/expectations.ts";
import { comparableLog, rehearsalOf, rehearse } from "../support/rehearse.ts";

const recorded = (name: string): unknown[] =>
  readFileSync(new URL(`../corpus/1.0.85/${name}.jsonl`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

const expecting = (expected: string) => rehearsalOf(`steps: [{tool: x, expect: ${expected}}, {say: Done}]`);

const observedIn = (name: string): string | undefined =>
  checkExpectations(expecting("approved"), recorded(name), 0)[0]?.observed;

describe("checkExpectations", () => {
  it.each([
    "bash",
    "view",
    "view-outside",
    "create",
    "edit",
    "grep",
    "glob",
    "mcp",
    "web-fetch",
    "custom-tool",
  ])("tells an approved %s from a denied one in a recorded session", (tool) => {
    expect(observedIn(`${tool}-approved`)).toBe("approved");
    expect(observedIn(`${tool}-denied`)).toBe("denied");
  });

  it.each(["sql-denied", "task-denied", "mcp-read-only-denied", "bash-fails"])(
    "counts what ran without being asked about, or failed by itself, as approved: %s",
    (name) => expect(observedIn(name)).toBe("approved"),
  );

  it.each(["no-handler", "hook-denied"])("sees a denial that no handler made: %s", (name) => {
    expect(observedIn(name)).toBe("denied");
  });

  it.each(["unknown-tool", "invalid-arguments"])(
    "calls neither approved nor denied what never got so far: %s",
    (name) => {
      expect(observedIn(name)).toBe("failed before the policy was asked");
    },
  );

  it("does not take a sub-agent's call for the root agent's when both have one id", () => {
    const ended = (more: object, data: object) => ({
      type: "tool.execution_complete",
      data: { toolCallId: "call_1_1", ...data },
      ...more,
    });
    const events = [
      ended({ agentId: "a" }, { success: false, error: { code: "denied" } }),
      ended({}, { success: true }),
    ];
    expect(checkExpectations(expecting("approved"), events, 0)).toMatchObject([{ ok: true }]);
  });

  it("sees a sub-agent's calls", () => {
    const script = rehearsalOf(
      "steps: [{tool: task, with: {prompt: p}, expect: approved, steps: [{tool: view, expect: denied}]}]",
    );
    expect(checkExpectations(script, recorded("task-denied"), 0)).toMatchObject([
      { step: "1", tool: "task", observed: "approved", ok: true },
      { step: "1.1.1", tool: "view", observed: "denied", ok: true },
    ]);
  });

  it("says what was never called, and compares the exit code", () => {
    const script = rehearsalOf("steps: [{tool: bash, expect: denied}]\nexitCode: 0");
    expect(checkExpectations(script, recorded("error-402"), 1)).toEqual([
      { step: "1", tool: "bash", expected: "denied", observed: "never called", ok: false },
      { step: "end", tool: "exit code", expected: "0", observed: "1", ok: false },
    ]);
  });

  it("is not disturbed by lines that are no events", () => {
    expect(
      checkExpectations(expecting("denied"), [null, 5, {}, { type: "x" }, { data: null }], 0),
    ).toMatchObject([{ observed: "never called" }]);
  });
});

describe("diffOf", () => {
  it("shows met expectations once and unmet ones as removed and added", () => {
    const script = rehearsalOf(
      "steps: [{tool: bash, expect: approved}, {tool: view, expect: approved}]\nexitCode: 0",
    );
    expect(diffOf(checkExpectations(script, recorded("bash-denied"), 0))).toBe(
      [
        "- step 1  bash  approved",
        "+ step 1  bash  denied (Not allowed by workflow tool permissions.)",
        "- step 2  view  approved",
        "+ step 2  view  never called",
        "  exit code     0",
      ].join("\n"),
    );
  });
});

describe("a rehearsal on the real runtime", () => {
  it("meets every expectation of the built-in script, twice the same apart from ids and times", async () => {
    const rehearsal = rehearsalOf(defaultScript);
    const [first, second] = [await rehearse(rehearsal), await rehearse(rehearsal)];
    expect(first.error).toBeUndefined();
    expect(checkExpectations(rehearsal, first.events, 0).filter(({ ok }) => !ok)).toEqual([]);
    expect(comparableLog(second)).toEqual(comparableLog(first));
  });

  it("passes the documentation's example, and fails it as documented when the policy is wider", async () => {
    const page = readFileSync(new URL("../../docs/rehearsal.md", import.meta.url), "utf8");
    const [, source = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const [, documented] = /when the policy is wider[\s\S]*?```\n([\s\S]*?)\n```/i.exec(page) ?? [];
    const rehearsal = rehearsalOf(source);
    const scoped = await rehearse(rehearsal);
    expect(checkExpectations(rehearsal, scoped.events, 0).map(({ ok }) => ok)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const wide = await rehearse({ ...rehearsal, permissions: { allowAllTools: true } });
    expect(diffOf(checkExpectations(rehearsal, wide.events, 0))).toBe(documented);
  });

  it("fills in where the workspace is and what an earlier tool told", async () => {
    const rehearsal = rehearsalOf(String.raw`
allow: all
files: { note.txt: "The code is X-42." }
steps:
  - { tool: view, with: { path: "{{workspace}}/note.txt" }, expect: approved }
  - { tool: bash, with: { command: 'echo {{result /code is ([\w-]+)/}}' }, expect: approved }
  - say: Done
`);
    const { events } = await rehearse(rehearsal);
    const commands = events.filter(({ type }) => type === "tool.execution_start").map(({ data }) => data);
    expect(commands.at(-1)).toMatchObject({ arguments: { command: "echo X-42" } });
  });
});
