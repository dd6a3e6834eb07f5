/** From the shell's call to the end of a bundle that has nothing to do, beside a Node that has nothing to do. */
import { join } from "node:path";
import { projectRoot } from "../test/support/compiled.ts";
import { interleaved, millisecondsOf, ratioOf, rowOf, type Row } from "./measure.ts";

const env = { PATH: process.env["PATH"] };
const bundle = (name: string) => join(projectRoot, "dist", name);
const run =
  (...args: string[]) =>
  () =>
    millisecondsOf(process.execPath, args, { env });

/** Each refuses or answers at once: no settings, or only its version. */
const bundles = {
  "driver.js": run(bundle("driver.js")),
  "cli.js": run(bundle("cli.js"), "--version"),
  "index.js": run(bundle("index.js")),
};
const limits: { [Name in keyof typeof bundles]?: number } = { "driver.js": 1.6, "index.js": 2 };

const explain = run(bundle("cli.js"), "explain", "--allow", "shell(git:*)", "--", "git log | head");

export const benchStartup = async (rounds = 31): Promise<Row[]> => {
  const times = await interleaved(rounds, { "node -e 0": run("-e", "0"), ...bundles, explain });
  const bare = times["node -e 0"];
  return [
    rowOf("start-up: node -e 0", bare),
    ...(Object.keys(bundles) as (keyof typeof bundles)[]).flatMap((name) => [
      rowOf(`start-up: ${name}`, times[name]),
      ratioOf(`start-up: ${name} / node -e 0`, times[name], bare, limits[name]),
    ]),
    { ...rowOf("start-up: explain, from the shell to its answer", times.explain), limit: 150 },
  ];
};
