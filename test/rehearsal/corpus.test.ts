import { readdirSync, readFileSync } from "node:fs";
import { comparable } from "../support/normalise-events.ts";
import { recordSituation, situations } from "../support/situations.ts";

type RecordedEvent = { type: string; timestamp: string; data: object };

const corpus = new URL("../corpus/", import.meta.url);
const versions = readdirSync(corpus).filter((name) => /^\d+\.\d+\.\d+/.test(name));
const read = (version: string, name: string): RecordedEvent[] =>
  readFileSync(new URL(`${version}/${name}.jsonl`, corpus), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedEvent);

describe("the corpus of recorded sessions", () => {
  it.each(versions)("holds every situation for runtime %s", (version) => {
    const names = readdirSync(new URL(`${version}/`, corpus)).map((file) => file.replace(/\.jsonl$/, ""));
    expect(names.sort()).toEqual(Object.keys(situations).sort());
    for (const name of names)
      for (const event of read(version, name)) {
        expect(event.type).toMatch(/^[a-z_]+(?:\.[a-z_]+)*$/);
        expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp);
        expect(typeof event.data).toBe("object");
      }
  });

  it.each([
    "bash-approved",
    "bash-denied",
    "no-handler",
    "mcp-denied",
    "hook-denied",
    "error-402",
    "empty-answer",
  ])("still is what the runtime does: %s", async (name) => {
    const { version, events } = await recordSituation(name);
    expect(comparable(events)).toEqual(comparable(read(version, name)));
  });
});
