/** A private folder for what one run needs on disk. No secret is ever written there. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, type RmOptions } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";

export type RunFolder = { path: string; remove: () => Promise<void> };

const live = new Set<string>();

export const liveFolders = (): ReadonlySet<string> => live;

const everything: RmOptions = { recursive: true, force: true, maxRetries: 3, retryDelay: 50 };

const openFolders = (folder: string): void => {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
};

/** Step by step, so that a signal is still heard: the agent may have left a million files in there. */
const remove = async (path: string): Promise<void> => {
  live.delete(path);
  try {
    await rm(path, everything);
  } catch {
    try {
      // It may also have made folders that nobody may enter.
      openFolders(path);
      await rm(path, everything);
    } catch {
      // Left to the system's own cleaning of temporary files: what resists must not turn a run red.
    }
  }
};

/** The last resort, should this process end in the middle of a run. */
process.on("exit", () => {
  for (const path of live)
    try {
      openFolders(path);
      rmSync(path, everything);
    } catch {
      // As above.
    }
});

const makeFolder = (temporaryDirectory: string, prefix: string): string => {
  try {
    return mkdtempSync(join(temporaryDirectory, prefix));
  } catch (error) {
    throw new Failure("configuration", `Cannot write to the temporary folder (${messageOf(error)}).`);
  }
};

/** Made with mode 0700, as mkdtemp does. */
export const createRunFolder = (temporaryDirectory: string, prefix = "copilot-driver-"): RunFolder => {
  const path = makeFolder(temporaryDirectory, prefix);
  live.add(path);
  return { path, remove: () => remove(path) };
};
