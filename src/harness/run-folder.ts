/** A private folder for what one run needs on disk. No secret is ever written there. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

export type RunFolder = { path: string; remove: () => void };

const live = new Set<string>();

/** The agent may have made things in there that resist: what cannot be removed must not turn a run red. */
const remove = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    // Left to the system's own cleaning of temporary files.
  }
  live.delete(path);
};

/** The last resort, should this process end in the middle of a run. */
process.on("exit", () => live.forEach(remove));

export const createRunFolder = (temporaryDirectory: string): RunFolder => {
  const path = mkdtempSync(join(temporaryDirectory, "copilot-driver-"));
  chmodSync(path, 0o700);
  live.add(path);
  return { path, remove: () => remove(path) };
};
