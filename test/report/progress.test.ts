import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { followProgress } from "../../src/report/progress.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const start = (id: string, seconds: number, extra = {}) => ({
  type: "tool.execution_start",
  timestamp: at(seconds),
  data: { toolCallId: id, toolName: "bash", arguments: { command: `run\n${id}` } },
  ...extra,
});
const end = (id: string, seconds: number, data: object, extra = {}) => ({
  type: "tool.execution_complete",
  timestamp: at(seconds),
  data: { toolCallId: id, ...data },
  ...extra,
});

it("tells each tool call once it has ended, with its argument, duration and outcome", () => {
  const { observe } = followProgress();
  expect(observe(start("a", 0))).toBeUndefined();
  observe(start("a", 1, { agentId: "sub" }));
  observe(start("b", 1));
  expect(observe(end("a", 3, { success: true }))).toEqual({
    tool: "bash",
    subject: "run a",
    durationMs: 3000,
    outcome: "done",
  });
  expect(observe(end("b", 2, { success: false, error: { code: "denied" } }))?.outcome).toBe("denied");
  expect(
    observe(end("a", 5, { success: false, error: { code: "failure" } }, { agentId: "sub" })),
  ).toMatchObject({ durationMs: 4000, outcome: "failed" });
  expect(observe(end("never-started", 2, { success: true }))).toBeUndefined();
});

it("knows what the agent does now", () => {
  const { observe, progress } = followProgress();
  expect(progress()).toEqual({ doing: "waiting", tools: 0, denials: 0, tokens: 0 });
  observe({ type: "assistant.turn_start", data: {} });
  expect(progress().doing).toBe("thinking");
  observe({ type: "driver.model_used", data: { inputTokens: 30, outputTokens: 7 } });
  observe(start("a", 0));
  expect(progress()).toEqual({ doing: "bash run a", tools: 1, denials: 0, tokens: 37 });
  observe(end("a", 1, { success: false, error: { code: "denied" } }));
  expect(progress()).toMatchObject({ doing: "thinking", denials: 1 });
});

it("follows every recorded run without stumbling", () => {
  const folder = fileURLToPath(new URL("../corpus/1.0.85/", import.meta.url));
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    const { observe } = followProgress();
    const lines = readFileSync(folder + file, "utf8")
      .trim()
      .split("\n");
    for (const line of lines) expect(() => observe(JSON.parse(line))).not.toThrow();
  }
});
