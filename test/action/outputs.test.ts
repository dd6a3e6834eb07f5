import { outputsOf } from "../../src/action/outputs.ts";
import type { SessionResult } from "../../src/session/result.ts";

const files = { resultFile: undefined, eventsFile: undefined };
const result: SessionResult = {
  exitCode: 0,
  outcome: "completed",
  output: "",
  hasOutput: false,
  durationMs: 1,
  tools: [],
  denials: [],
  warnings: [],
};
const outputsFor = (own: Partial<SessionResult>) =>
  outputsOf({ conclusion: "completed", result: { ...result, ...own } }, files);

describe("the outputs of a step", () => {
  it("leave out the latest of very many denials, but count them all", () => {
    const denial = { kind: "shell", summary: "x".repeat(300), reason: "no-rule", message: "No." } as const;
    const denials = Array.from({ length: 1_000 }, (_, index) => ({ ...denial, part: `part ${index}` }));
    const { "denied-count": count, denials: text } = outputsFor({ denials });
    expect(count).toBe("1000");
    expect(text.length).toBeLessThanOrEqual(50_000);
    const kept = JSON.parse(text) as unknown[];
    expect(kept.length).toBeGreaterThan(50);
    expect(kept).toEqual(denials.slice(0, kept.length));
  });

  it("cut a long answer between characters, not in one", () => {
    const { result: text } = outputsFor({ output: `${"x".repeat(199_999)}😀${"y".repeat(10)}` });
    expect(text).toMatch(/^x+\n\n\[12 more characters are in result-file\]$/);
  });
});
