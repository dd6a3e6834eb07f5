/** One million events through the event log, and through the whole driver: how fast, in order, with how much memory. */
import { once } from "node:events";
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createRedactor } from "../src/redact.ts";
import { openEventLog } from "../src/session/event-log.ts";
import { spawnDriver } from "../test/support/driver.ts";
import { startFakeRuntime } from "../test/support/fake-runtime.ts";
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

const isInOrder = async (path: string, numberOf: (data: Record<string, unknown>) => unknown) => {
  let expected = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { data } = JSON.parse(line) as { data: Record<string, unknown> };
    // What the driver's log holds after the flood are the answer and the end.
    if (expected < count && numberOf(data) !== expected) return false;
    expected += 1;
  }
  return expected >= count;
};

const inFolder = async (measure: (folder: string) => Promise<Row[]>): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-log-"));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const rowsOf = (what: string, seconds: number, growthMb: number): Row[] => [
  { name: `${what}: events, written in order`, median: (count - warmUp) / seconds, unit: "per second" },
  { name: `${what}: memory growth over one million events`, median: growthMb, unit: "MB", limit: 32 },
];

const benchLog = async (folder: string): Promise<Row[]> => {
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
  if (!(await isInOrder(log.path, ({ toolCallId }) => Number(String(toolCallId).slice("call_".length)))))
    throw new Error("The log is not in order.");
  return rowsOf("event log", seconds, (peak - before) / 1e6);
};

const mostMemoryOf = (pid: number): number =>
  (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / 1e6;

/** The sender waits when the driver does not read, as the runtime does. */
const benchDriver = async (folder: string): Promise<Row[]> => {
  let [pid, start, seconds, before, peak] = [0, 0, 0, 0, 0];
  const fake = await startFakeRuntime({
    onSend: async (peer) => {
      await peer.flood(0, warmUp);
      before = mostMemoryOf(pid);
      start = performance.now();
      await peer.flood(warmUp, count);
      seconds = (performance.now() - start) / 1000;
      peak = mostMemoryOf(pid);
      peer.event("assistant.message", { content: "Done.", toolRequests: [] });
      peer.event("session.idle");
    },
  });
  const prompt = join(folder, "prompt.txt");
  writeFileSync(prompt, "Send what you have.");
  const events = join(folder, "events");
  const driver = spawnDriver({
    GH_AW_PROMPT: prompt,
    COPILOT_SDK_URI: fake.uri,
    COPILOT_CONNECTION_TOKEN: fake.token,
    COPILOT_MODEL: "model",
    GH_AW_SESSION_STATE_BASE_DIR: events,
  });
  pid = driver.pid ?? 0;
  driver.stdout.resume();
  driver.stderr.resume();
  await once(driver, "close");
  await fake.close();
  const [session = ""] = readdirSync(events);
  if (!(await isInOrder(join(events, session, "events.jsonl"), ({ n }) => n)))
    throw new Error("The driver's log is not in order.");
  return rowsOf("driver", seconds, peak - before);
};

export const benchEventLog = async (): Promise<Row[]> => [
  ...(await inFolder(benchLog)),
  ...(await inFolder(benchDriver)),
];
