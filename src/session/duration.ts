const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? "" : "s"}`;

/** A bound as a person would say it: 300000 is 5 minutes, 1500 is 1.5 seconds. */
export const inWords = (ms: number): string =>
  ms >= 60_000 && ms % 60_000 === 0 ? count(ms / 60_000, "minute") : count(ms / 1000, "second");
