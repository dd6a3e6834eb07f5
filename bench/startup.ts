/** From the shell's call to the end of a bundle that has nothing to do, beside a Node that has nothing to do. */
import { existsSync } from "node:fs";
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
const bundles: Record<string, () => Promise<number>> = {
  "driver.js": run(bundle("driver.js")),
  "cli.js": run(bundle("cli.js"), "--version"),
  ...(existsSync(bundle("index.js")) && { "index.js (the Action)": run(bundle("index.js")) }),
};

export const benchStartup = async (rounds = 15): Promise<Row[]> => {
  const times: Record<string, number[]> = await interleaved(rounds, {
    "node -e 0": run("-e", "0"),
    ...bundles,
  });
  const bare = times["node -e 0"] ?? [];
  return [
    rowOf("start-up: node -e 0", bare),
    ...Object.keys(bundles).flatMap((name) => [
      rowOf(`start-up: ${name}`, times[name] ?? []),
      ratioOf(`${name} / node -e 0`, times[name] ?? [], bare),
    ]),
  ];
};
