/** A private folder for what one run needs on disk. No secret is ever written there. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";

export type RunFolder = { path: string; remove: () => void };

const live = new Set<string>();

const removeAll = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });

const openFolders = (folder: string): void => {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
};

/** The agent may have made folders in there that nobody may enter. What resists must not turn a run red. */
const remove = (path: string): void => {
  try {
    removeAll(path);
  } catch {
    try {
      openFolders(path);
      removeAll(path);
    } catch {
      // Left to the system's own cleaning of temporary files.
    }
  }
  live.delete(path);
};

/** The last resort, should this process end in the middle of a run. */
process.on("exit", () => live.forEach(remove));

const makeFolder = (temporaryDirectory: string): string => {
  try {
    return mkdtempSync(join(temporaryDirectory, "copilot-driver-"));
  } catch (error) {
    throw new Failure("configuration", `Cannot write to the temporary folder (${messageOf(error)}).`);
  }
};

/** Made with mode 0700, as mkdtemp does. */
export const createRunFolder = (temporaryDirectory: string): RunFolder => {
  const path = makeFolder(temporaryDirectory);
  live.add(path);
  return { path, remove: () => remove(path) };
};
