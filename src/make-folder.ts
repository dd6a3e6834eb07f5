import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Makes a folder and its parents. Node's own way never returns where a parent exists but takes nothing in, as in /proc. */
export const makeFolder = (path: string, options: { mode?: number } = {}): void => {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), options);
  try {
    mkdirSync(path, options);
  } catch (error) {
    // Somebody else may have been faster.
    if (!isFolder(path)) throw error;
  }
};
