/** Files that an agent could have replaced meanwhile, by a link or by a pipe that nobody reads. */
import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { readRegularFile } from "../harness/untrusted-file.ts";

export const isRegularFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Writes a new file, whatever was there. */
export const writeFresh = (path: string, text: string): void => {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { flag: "wx" });
};

export const holdsExactly = (path: string, text: string): boolean =>
  readRegularFile(path, Buffer.byteLength(text)) === text;
