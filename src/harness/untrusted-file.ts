/** Reads files in places where the agent may write too: a pipe there would block us, a link lead us away. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Windows knows neither. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A descriptor of a regular file, or nothing. */
export const openRegularFile = (path: string): number | undefined => {
  try {
    const file = openSync(path, flags);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch {
    // Not there, or not to be opened this way.
  }
  return undefined;
};

/** Nothing, too, when the file is larger than the limit. */
export const readRegularFile = (path: string, limit: number): string | undefined => {
  const file = openRegularFile(path);
  if (file === undefined) return undefined;
  try {
    const { size } = fstatSync(file);
    if (size > limit) return undefined;
    const bytes = Buffer.alloc(size);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, size, 0));
  } finally {
    closeSync(file);
  }
};
