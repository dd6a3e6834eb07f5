/** The Node that runs the tests, and the Node 24 that runs Actions. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./compiled.ts";

const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const node24 = join(
  projectRoot,
  `test/node24/node_modules/node-${platform}/bin/node${process.platform === "win32" ? ".exe" : ""}`,
);
if (!existsSync(node24)) throw new Error("Node 24 is missing: run `npm test`, which installs it");

export const nodes: [string, string][] = [
  [`Node ${process.versions.node.split(".")[0]}`, process.execPath],
  ["Node 24, the Actions runtime", node24],
];
