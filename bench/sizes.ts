/** What a user downloads. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../test/support/compiled.ts";
import type { Row } from "./measure.ts";

const limits: Record<string, number | undefined> = {
  "driver.js": undefined,
  "cli.js": undefined,
  "index.js": 1500,
  "post.js": undefined,
};

export const benchSizes = (): Row[] =>
  Object.entries(limits).map(([door, limit]) => ({
    name: `size: ${door}`,
    median: statSync(join(projectRoot, "dist", door)).size / 1000,
    unit: "kB",
    ...(limit === undefined ? {} : { limit }),
  }));
