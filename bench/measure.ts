/** What every piece of the bench shares: rows of a table, and how they come from interleaved runs. */
import { spawn, type SpawnOptions } from "node:child_process";

export type Row = {
  name: string;
  median: number;
  /** The tenth and the ninetieth percentile, where there were several runs. */
  low?: number;
  high?: number;
  unit: "ms" | "×" | "MB" | "kB" | "µs" | "per second";
  /** What the median must not exceed. */
  limit?: number;
};

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const rowOf = (name: string, values: readonly number[], unit: Row["unit"] = "ms"): Row => ({
  name,
  median: median(values),
  low: quantile(values, 0.1),
  high: quantile(values, 0.9),
  unit,
});

/** The ratio of the medians, with the spread of the ratios of each round. */
export const ratioOf = (
  name: string,
  ours: readonly number[],
  theirs: readonly number[],
  limit?: number,
): Row => ({
  ...rowOf(
    name,
    ours.map((value, round) => value / (theirs[round] ?? Infinity)),
    "×",
  ),
  median: median(ours) / median(theirs),
  ...(limit !== undefined && { limit }),
});

/** One after the other, round by round, so that what else the machine does falls on all of them alike. */
export const interleaved = async <Name extends string>(
  rounds: number,
  runs: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(runs) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  // The first run of each fills caches, and is not counted.
  for (const name of names) await runs[name]();
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) times[name].push(await runs[name]());
  return times;
};

export const millisecondsOf = (
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { stdio: "ignore", ...options });
    child.once("error", reject);
    child.once("close", () => resolve(performance.now() - start));
  });
