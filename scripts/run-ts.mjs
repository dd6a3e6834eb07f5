// Runs a TypeScript file of ours with a Node that understands it: `node scripts/run-ts.mjs scripts/screenshots.ts`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.argv.push("--with-node24");
await import("./setup.mjs");
process.argv.pop();
const system = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const node = fileURLToPath(new URL(`../test/node24/node_modules/node-${system}/bin/node`, import.meta.url));
const { status } = spawnSync(node, process.argv.slice(2), { stdio: "inherit" });
process.exitCode = status ?? 1;
