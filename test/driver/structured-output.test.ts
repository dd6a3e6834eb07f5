import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "../../src/rehearsal/turn.ts";
import { startWorld, type DriverRun } from "../support/driver.ts";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    label: { enum: ["bug", "feature"] },
    pair: { prefixItems: [{ type: "number" }, { type: "string" }] },
  },
  required: ["label"],
  additionalProperties: false,
};

const runWith = async (
  turns: Turn[],
  text = JSON.stringify(schema),
): Promise<DriverRun & { prompts: string[] }> => {
  const world = await startWorld(turns, "Triage this.");
  try {
    const file = join(world.folder, "schema.json");
    writeFileSync(file, text);
    const run = await world.run({ COPILOT_SDK_OUTPUT_SCHEMA_FILE: file });
    const prompts = run.events
      .filter(({ type }) => type === "user.message")
      .map(({ data }) => String(data["content"]));
    return { ...run, prompts };
  } finally {
    await world.stop();
  }
};

it("takes an answer that fits, and gives it as data", async () => {
  const { exitCode, result, stdout, prompts } = await runWith([
    { text: 'Here:\n\n```json\n{"label": "bug", "pair": [1, "a"]}\n```' },
  ]);
  expect(exitCode).toBe(0);
  expect(result?.structuredOutput).toEqual({ label: "bug", pair: [1, "a"] });
  expect(JSON.parse(stdout)).toEqual({ label: "bug", pair: [1, "a"] });
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toMatch(/^Triage this\.\n\n.*JSON Schema/s);
});

it("asks once more, saying what is wrong, and takes the repaired answer", async () => {
  const { exitCode, result, prompts } = await runWith([
    { text: '{"label":"question","extra":1}' },
    { text: '{"label":"feature"}' },
  ]);
  expect(exitCode).toBe(0);
  expect(result?.structuredOutput).toEqual({ label: "feature" });
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toContain("/label must be equal to one of the allowed values");
  expect(prompts[1]).toContain("(extra)");
});

it("fails clearly when the second answer does not fit either", async () => {
  const { exitCode, result } = await runWith([{ text: "I cannot." }, { text: '{"label":7}' }]);
  expect(exitCode).toBe(1);
  expect(result).toMatchObject({ outcome: "failed", errorKind: "invalid-output", output: '{"label":7}' });
  expect(result?.message).toContain("/label must be equal");
  expect(result).not.toHaveProperty("structuredOutput");
});

it.each([
  ["not JSON", "{", /COPILOT_SDK_OUTPUT_SCHEMA_FILE.*not valid JSON/],
  ["a list", "[]", /is not a JSON Schema/],
  ["no schema", '{"type":"nonsense"}', /is not a valid JSON Schema.*type/],
])("refuses a schema that is %s before the session starts", async (_what, text, message) => {
  const { exitCode, stderr, eventLogs } = await runWith([], text);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(message);
  expect(eventLogs).toEqual({});
});
