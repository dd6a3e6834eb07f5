// Records what the real runtime emits, one file per situation, under test/corpus/<runtime version>/.
// Usage: node scripts/record-corpus.ts [name…]   (Node 22.18 or later)
import { mkdirSync, writeFileSync } from "node:fs";
import { recordSituation, situations } from "../test/support/situations.ts";

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(situations)) {
  const { version, events } = await recordSituation(name);
  const folder = new URL(`../test/corpus/${version}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    new URL(`${name}.jsonl`, folder),
    events.map((event) => JSON.stringify(event) + "\n").join(""),
  );
  console.log(`${name}: ${events.length} events`);
}
