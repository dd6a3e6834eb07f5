import { setTimeout as wait } from "node:timers/promises";
import { startLiveLog } from "../../src/action/live-log.ts";

const event = (type: string, data: object) => ({ type, timestamp: "2026-01-01T00:00:00.000Z", data });

const untilSaid = async (lines: string[], pattern: RegExp): Promise<void> => {
  while (!lines.some((line) => pattern.test(line))) await wait(5);
};

describe("the live log", () => {
  it("shows a sign of life in a long silence, with what runs and what was denied", async () => {
    const lines: string[] = [];
    const live = startLiveLog((line) => lines.push(line), 10);
    try {
      live.observe(
        event("tool.execution_start", { toolCallId: "1", toolName: "bash", arguments: { command: "rm x" } }),
      );
      live.observe(
        event("tool.execution_complete", {
          toolCallId: "1",
          success: false,
          error: { code: "denied", message: "No." },
        }),
      );
      expect(lines[0]).toMatch(/^⛔ bash {2}rm x {2}\(.*denied: No\./);
      live.observe(
        event("tool.execution_start", { toolCallId: "2", toolName: "bash", arguments: { command: "make" } }),
      );
      await untilSaid(lines, /^… .*: bash make \(2 tool calls so far, 1 denied\)$/);
    } finally {
      live.close();
    }
    const count = lines.length;
    await wait(40);
    expect(lines).toHaveLength(count);
  });
});
