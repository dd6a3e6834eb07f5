/** The candidate that a mistyped word most likely means, if one is near enough. */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  const ranked = candidates
    .map((candidate) => ({ candidate, steps: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best && best.steps <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
};

/** The candidate that a shortened word most likely means: `--timeout-minutes` for `--timeout`, `--provider-api-key` for `--api-key`. */
export const longer = (word: string, candidates: readonly string[]): string | undefined => {
  const bare = word.replace(/^-+/, "");
  if (bare.length < 3) return undefined;
  return (
    candidates.find((candidate) => candidate.startsWith(word)) ??
    candidates.find((candidate) => `-${candidate}-`.includes(`-${bare}-`))
  );
};

/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
const distance = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + same,
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
};
