// Records what a runtime asks permission for, in test/corpus/permission-requests/<version>.jsonl.
// Usage: node scripts/record-permission-requests.ts <version> [runtime binary]   (Node 22.18 or later)
import { mkdirSync, writeFileSync } from "node:fs";
import { recordPermissionRequests } from "../test/support/permission-requests.ts";

const [version, binary] = process.argv.slice(2);
if (version === undefined) throw new Error("Name the version of the runtime.");
const folder = new URL("../test/corpus/permission-requests/", import.meta.url);
mkdirSync(folder, { recursive: true });
const recorded = await recordPermissionRequests(binary);
writeFileSync(
  new URL(`${version}.jsonl`, folder),
  recorded.map((entry) => JSON.stringify(entry) + "\n").join(""),
);
console.log(`${recorded.length} tool calls`);
