/** Which known word was probably meant. */

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, charA] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, charB] of [...b].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (charA === charB ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
};

export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const given = word.slice(0, 64);
  const [best] = known
    .map((candidate) => ({ candidate, steps: distance(given, candidate) }))
    .sort((a, b) => a.steps - b.steps);
  return best !== undefined && best.steps <= Math.max(2, given.length / 2) ? best.candidate : undefined;
};
