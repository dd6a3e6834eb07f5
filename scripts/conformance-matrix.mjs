// Writes the matrix of our driver into docs/conformance.md.
// Usage: node dist/cli.js conformance --json -- node dist/driver.js | node scripts/conformance-matrix.mjs [--check]
import { readFileSync, writeFileSync } from "node:fs";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

const file = new URL("../docs/conformance.md", import.meta.url);
const [begin, end] = ["<!-- matrix: begin -->", "<!-- matrix: end -->"];

const cell = (text) => text.replaceAll("|", "\\|");

const matrixOf = ({ checks, passed, failed }) => {
  const rows = checks.map(
    ({ id, level, requirement, verdict }) => `| ${id} | ${level} | ${cell(requirement)} | ${verdict} |`,
  );
  const details = checks.flatMap(({ id, findings }) => [
    `- **${id}**`,
    ...findings.map(({ required }) => `  - ${required}`),
  ]);
  return [
    `${passed} of ${passed + failed} checks passed.`,
    "",
    "| id | level | requirement | our driver |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "What each check asks for:",
    "",
    ...details,
  ].join("\n");
};

const report = await json(process.stdin);
const text = readFileSync(file, "utf8");
const [before, after] = [text.slice(0, text.indexOf(begin) + begin.length), text.slice(text.indexOf(end))];
const updated = await format(`${before}\n\n${matrixOf(report)}\n\n${after}`, {
  ...(await resolveConfig(fileURLToPath(file))),
  parser: "markdown",
});
if (!process.argv.includes("--check")) writeFileSync(file, updated);
else if (updated !== text) {
  console.error("docs/conformance.md is not what the kit reports: run `npm run docs:conformance`.");
  process.exit(1);
}
