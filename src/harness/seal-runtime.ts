/** A private mirror of the runtime whose executable may be executed but not read: the kernel then shields its process. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { mayTraceEverything, type Seal } from "./seal.ts";

/** The package's layout is <package>/prebuilds/<platform>/<executable>; another executable stands alone. */
const packageRootOf = (runtime: string): string => {
  const folder = dirname(runtime);
  return basename(dirname(folder)) === "prebuilds" ? dirname(dirname(folder)) : folder;
};

/** Real folders down to the executable, links for everything beside the way. */
const mirrorFolder = (from: string, to: string, way: readonly string[]): void => {
  mkdirSync(to, { recursive: true });
  const [next, ...rest] = way;
  for (const name of readdirSync(from)) if (name !== next) symlinkSync(join(from, name), join(to, name));
  if (next === undefined) return;
  if (rest.length > 0) return mirrorFolder(join(from, next), join(to, next), rest);
  copyFileSync(join(from, next), join(to, next));
  chmodSync(join(to, next), 0o111);
};

export const mirrorRuntime = (runtime: string, folder: string): string => {
  const root = packageRootOf(runtime);
  const way = relative(root, runtime);
  mirrorFolder(root, folder, way.split("/"));
  return join(folder, way);
};

const readOneByte = (path: string): void => {
  const file = openSync(path, "r");
  try {
    readSync(file, Buffer.alloc(1));
  } finally {
    closeSync(file);
  }
};

/** Tried, not assumed: what we cannot read, the agent as a process of the same user cannot read either. */
export const sealOf = (pid: number): Seal => {
  if (process.platform !== "linux") return { sealed: false, why: "only Linux offers it" };
  try {
    readOneByte(`/proc/${pid}/environ`);
    const why = mayTraceEverything()
      ? "this user may read every process, as root does"
      : "the temporary folder forbids to execute it unread";
    return { sealed: false, why };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" || code === "EPERM" ? { sealed: true } : { sealed: false, why: "it is gone" };
  }
};
