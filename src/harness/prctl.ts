/** Linux's prctl(2), called through the native library that is shipped beside the bundle. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export type Prctl = (option: number, argument: number) => number;

type NativeCalls = {
  load: (library: null) => { func: (signature: string) => (...values: number[]) => number };
};

const here = dirname(fileURLToPath(import.meta.url));
const file = join("native", `linux-${process.arch}.node`);

/** Beside the bundle, or where the build puts it when the sources run as they are. */
const places = [join(here, file), join(here, "../../dist", file)];

const load = (path: string): Prctl => {
  const module: { exports: unknown } = { exports: {} };
  process.dlopen(module, path);
  const call = (module.exports as NativeCalls).load(null).func("int prctl(int, ulong, ulong, ulong, ulong)");
  return (option, argument) => call(option, argument, 0, 0, 0);
};

export type PrctlAccess = { prctl: Prctl } | { prctl: undefined; why: string };

let known: PrctlAccess | undefined;

const find = (): PrctlAccess => {
  if (process.platform !== "linux") return { prctl: undefined, why: "only Linux offers it" };
  const path = places.find((place) => existsSync(place));
  if (path === undefined) return { prctl: undefined, why: `${file} is not beside the program` };
  try {
    return { prctl: load(path) };
  } catch {
    return { prctl: undefined, why: `${file} does not load on this system` };
  }
};

export const accessPrctl = (): PrctlAccess => (known ??= find());
