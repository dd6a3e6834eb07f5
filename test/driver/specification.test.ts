import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Section 8.1 of the Copilot SDK Driver Specification, version 1.0.2. */
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `T-CSD-${String(from + n).padStart(3, "0")}`);
const ids = [...range(1, 8), ...range(101, 111), ...range(201, 202)];

it("every test id of the specification stands in the tests of the driver", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const tests = readdirSync(folder)
    .filter((name) => name !== "specification.test.ts")
    .map((name) => readFileSync(`${folder}/${name}`, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""))
    .join("\n");
  expect(ids.filter((id) => !tests.includes(id))).toEqual([]);
});
