/** What a user downloads. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../test/support/compiled.ts";
import type { Row } from "./measure.ts";

export const benchSizes = (): Row[] =>
  readdirSync(join(projectRoot, "dist"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({
      name: `size: ${name}`,
      median: statSync(join(projectRoot, "dist", name)).size / 1000,
      unit: "kB" as const,
    }));
