/** One million events through the driver's event log: how fast, in order, and with how much memory. */
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createRedactor } from "../src/redact.ts";
import { openEventLog } from "../src/session/event-log.ts";
import type { Row } from "./measure.ts";

const count = 1_000_000;
const warmUp = 50_000;

const eventOf = (index: number) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  timestamp: "2026-01-01T00:00:00.000Z",
  parentId: null,
  type: "tool.execution_complete",
  data: {
    toolCallId: `call_${index}`,
    success: true,
    result: { content: "the tests passed; 42 of 42, no warnings" },
  },
});

const isInOrder = async (path: string): Promise<boolean> => {
  let expected = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if ((JSON.parse(line) as { data: { toolCallId: string } }).data.toolCallId !== `call_${expected}`)
      return false;
    expected += 1;
  }
  return expected === count;
};

export const benchEventLog = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-log-"));
  try {
    const log = openEventLog(folder, "session", createRedactor(["a-connection-token-of-64-characters"]).json);
    const append = (from: number, to: number): void => {
      for (let index = from; index < to; index += 1) log.append(eventOf(index));
    };
    append(0, warmUp);
    const before = process.memoryUsage().rss;
    let peak = before;
    const start = performance.now();
    for (let from = warmUp; from < count; from += warmUp) {
      append(from, from + warmUp);
      // The event loop turns between the runtime's messages too.
      await new Promise((resolve) => setImmediate(resolve));
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    log.close();
    const seconds = (performance.now() - start) / 1000;
    if (!(await isInOrder(log.path))) throw new Error("The log is not in order.");
    return [
      { name: "event log: events, written in order", median: (count - warmUp) / seconds, unit: "per second" },
      {
        name: "event log: memory growth over one million events",
        median: (peak - before) / 1e6,
        unit: "MB",
        limit: 32,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
