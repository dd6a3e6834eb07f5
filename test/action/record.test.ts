import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchRecord } from "../../src/action/record.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "record-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = { type: "session.start" };
const turn = { type: "assistant.turn_start" };

const problemOf = async (seen: object[], left: object[], ownDriver = true): Promise<string | undefined> => {
  const file = join(folder, "events.jsonl");
  writeFileSync(file, left.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const record = watchRecord();
  seen.forEach(record.observe);
  return (await record.check(file, ownDriver))?.message;
};

describe("the record of a run", () => {
  it("is whole when it holds what was seen of it, and what came after", async () => {
    expect(await problemOf([start, turn], [start, turn, turn])).toBeUndefined();
  });

  it("is not whole when it holds less than was seen, or begins later, or is empty", async () => {
    expect(await problemOf([start, turn, turn], [start, turn])).toContain("emptied or cut");
    expect(await problemOf([], [turn])).toContain("emptied or cut");
    expect(await problemOf([], [])).toContain("emptied or cut");
  });

  it("is that of the last attempt alone", async () => {
    expect(await problemOf([start, turn, turn, start], [start])).toBeUndefined();
  });

  it("may begin later, or be missing, with a driver that is not ours", async () => {
    expect(await problemOf([], [turn], false)).toBeUndefined();
    expect(await watchRecord().check(undefined, false)).toBeUndefined();
    expect((await watchRecord().check(undefined, true))?.kind).toBe("record");
  });
});
