import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEventLog } from "../../src/session/event-log.ts";
import { eventOf } from "../support/fake-runtime.ts";

let base: string;
beforeEach(() => (base = mkdtempSync(join(tmpdir(), "event-log-"))));
afterEach(() => rmSync(base, { recursive: true, force: true }));

const open = () => openEventLog(base, "session", JSON.stringify);
const linesOf = (path: string) => readFileSync(path, "utf8").split("\n");

it("writes whole lines in order, and nothing that is ephemeral", () => {
  const log = open();
  for (let n = 0; n < 5000; n++) log.append(eventOf("a.b", { n }, n % 2 ? { ephemeral: true } : {}));
  log.close();
  const lines = linesOf(log.path);
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => (JSON.parse(line) as { data: { n: number } }).data.n)).toEqual(
    Array.from({ length: 2500 }, (_, n) => n * 2),
  );
});

it("writes within one turn of the event loop, without waiting to be closed", async () => {
  const log = open();
  log.append(eventOf("a.b"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(linesOf(log.path)).toHaveLength(2);
  log.close();
});

it("leaves nothing behind when no event came", () => {
  open().close();
  expect(existsSync(join(base, "session"))).toBe(false);
});

it("refuses a base that cannot hold a directory, naming it", () => {
  writeFileSync(join(base, "file"), "");
  expect(() => openEventLog(join(base, "file"), "session", JSON.stringify)).toThrow(
    /GH_AW_SESSION_STATE_BASE_DIR.*file/,
  );
});

it("tells that the record is incomplete when the disk refuses, and keeps what it has whole", () => {
  const full = openEventLog(base, "session", JSON.stringify);
  rmSync(join(base, "session"), { recursive: true });
  writeFileSync(join(base, "session"), "");
  full.append(eventOf("a.b"));
  full.flush();
  expect(full.problem).toMatch(/ENOTDIR/);
  full.append(eventOf("a.b"));
  full.close();
});

it("keeps memory flat over many events", () => {
  const log = open();
  const event = eventOf("a.b", { text: "x".repeat(200) });
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 200_000; n++) log.append(event);
  const growth = process.memoryUsage().heapUsed - before;
  log.close();
  expect(linesOf(log.path)).toHaveLength(200_001);
  expect(growth).toBeLessThan(48 * 1024 * 1024);
});
