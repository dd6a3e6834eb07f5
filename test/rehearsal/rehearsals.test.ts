import { readdirSync, readFileSync } from "node:fs";
import { checkExpectations, diffOf } from "../../src/rehearsal/expectations.ts";
import type { Rehearsal } from "../../src/rehearsal/script.ts";
import type { Turn } from "../../src/rehearsal/turn.ts";
import { comparableLog, rehearsalOf, rehearse } from "../support/rehearse.ts";

const folder = new URL("../rehearsals/", import.meta.url);
const read = (name: string): Rehearsal => rehearsalOf(readFileSync(new URL(`${name}.yml`, folder), "utf8"));

const unmet = (rehearsal: Rehearsal, events: readonly unknown[]): string =>
  diffOf(checkExpectations(rehearsal, events, 0).filter(({ ok, step }) => !ok && step !== "end"));

const toolsOf = (turns: readonly Turn[]): string[] =>
  turns.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name));

describe("the kept rehearsals", () => {
  it("are valid scripts that expect an exit code", () => {
    for (const file of readdirSync(folder))
      expect(read(file.replace(/\.yml$/, ""))).toHaveProperty("exitCode");
  });

  it("call every tool that the runtime offers, and all of them run", async () => {
    const rehearsal = read("tools-approved");
    const { events, exchanges, error } = await rehearse(rehearsal);
    const { tools } = exchanges[0]?.request as { tools: { function: { name: string } }[] };
    const called = new Set(toolsOf(rehearsal.turns));
    expect(tools.map((tool) => tool.function.name).filter((name) => !called.has(name))).toEqual([]);
    expect(error).toBeUndefined();
    expect(unmet(rehearsal, events)).toBe("");
  });

  it.each(["tools-denied", "mcp"])("meet their expectations, twice the same: %s", async (name) => {
    const rehearsal = read(name);
    const [first, second] = [await rehearse(rehearsal), await rehearse(rehearsal)];
    expect(unmet(rehearsal, first.events)).toBe("");
    expect(comparableLog(second)).toEqual(comparableLog(first));
  });

  it.each(["model-402", "model-429-recovers", "model-empty", "model-slow", "model-invalid-arguments"])(
    "end as their exit code says: %s",
    async (name) => {
      const rehearsal = read(name);
      const { error } = await rehearse(rehearsal);
      expect(error === undefined).toBe(rehearsal.exitCode === 0);
    },
  );
});
