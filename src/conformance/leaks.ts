/** Looks for secrets in everything that a run leaves: its output, what it sends, the files that it writes. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createDetector } from "../redact.ts";

export type LeakWatch = {
  look: (text: string, where: string) => void;
  lookInFolder: (folder: string) => void;
  found: () => string[];
};

const [pieceLength, step] = [12, 5];

/** Half a secret is a leak too: any 16 characters of it hold one of these pieces, each too long to turn up by chance. */
const piecesOf = (secret: string): string[] =>
  Array.from({ length: Math.floor((secret.length - pieceLength) / step) + 1 }, (_, index) =>
    secret.slice(index * step, index * step + pieceLength),
  );

const largestFile = 64 * 1024 * 1024;

/** Of secrets that are random: pieces of words would turn up everywhere. */
export const watchForLeaks = (secrets: Readonly<Record<string, string>>): LeakWatch => {
  const detectors = Object.entries(secrets).map(
    ([name, value]) => [name, createDetector(piecesOf(value))] as const,
  );
  const found = new Set<string>();

  const look = (text: string, where: string): void => {
    for (const [name, holds] of detectors) if (holds(text)) found.add(`${name} in ${where}`);
  };

  const lookInFolder = (folder: string): void => {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile() && stat.size <= largestFile) look(readFileSync(path, "utf8"), `the file ${name}`);
    }
  };

  return { look, lookInFolder, found: () => [...found] };
};
