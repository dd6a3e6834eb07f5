/** Cuts what may hold secrets: redacted first, and shorter by what half a secret at the cut could be long. */
import { createRedactor } from "../redact.ts";

export type Cut = {
  whole: (text: string) => string;
  /** Of a text that went on. */
  beginning: (text: string) => string;
  /** Of a text that began earlier. */
  end: (text: string) => string;
};

/** A character as %41 is the longest form that is known. */
const longestForm = 3;

export const createCut = (secrets: readonly string[]): Cut => {
  const whole = createRedactor(secrets).text;
  const margin = longestForm * Math.max(0, ...secrets.map(({ length }) => length));
  return {
    whole,
    beginning: (text) => {
      const clean = whole(text);
      return clean.slice(0, Math.max(0, clean.length - margin));
    },
    end: (text) => whole(text).slice(margin),
  };
};
