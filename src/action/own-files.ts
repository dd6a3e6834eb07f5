/** Files that an agent could have replaced meanwhile, by a link or by a pipe that nobody reads, or removed with their folder. */
import { lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readRegularFile } from "../harness/untrusted-file.ts";

export const isRegularFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const ensureFolder = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  rmSync(path, { force: true });
  mkdirSync(path, { recursive: true });
};

/** Writes a new file, whatever was there. */
export const writeFresh = (path: string, text: string): string => {
  ensureFolder(dirname(path));
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { flag: "wx" });
  return path;
};

export const holdsExactly = (path: string, text: string): boolean =>
  readRegularFile(path, Buffer.byteLength(text)) === text;
