/** Finds the Copilot runtime: given, installed beside us, cached, newly installed, or on the PATH. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import { installerEnvironment } from "./environment.ts";
import { installRuntime, packageName } from "./install-runtime.ts";
import { runtimeIntegrity, runtimeVersion } from "./pinned-runtime.ts";
import type { HarnessSettings } from "./settings.ts";

export type RuntimeSearch = Pick<HarnessSettings, "runtimePath" | "toolCache" | "parentEnvironment"> & {
  log: Log;
  secrets: readonly string[];
  signal: AbortSignal;
  /** Where the search for installed packages begins; without it beside this program. */
  from?: string;
};

const here = dirname(fileURLToPath(import.meta.url));
const windows = process.platform === "win32";

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Which C library a Linux has is looked up only when it matters: the report that tells takes its time. */
const hasMusl = (): boolean => {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
};

const platformHere = (): string => {
  const system = process.platform === "linux" && hasMusl() ? "linuxmusl" : process.platform;
  return `${system}-${process.arch}`;
};

const possiblePlatforms = (): string[] =>
  (process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform]).map(
    (system) => `${system}-${process.arch}`,
  );

const inPackage = (modules: string, platform: string): string =>
  join(
    modules,
    packageName(platform),
    "prebuilds",
    platform,
    windows ? "copilot-runtime.exe" : "copilot-runtime",
  );

const upwards = (folder: string): string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...upwards(dirname(folder))];

const installedBeside = (from: string): string | undefined =>
  upwards(from)
    .flatMap((folder) =>
      possiblePlatforms().map((platform) => inPackage(join(folder, "node_modules"), platform)),
    )
    .find(isFile);

const cacheFolder = (toolCache: string, platform: string): string =>
  join(toolCache, "copilot-runtime", runtimeVersion, platform);

const inCache = (toolCache: string, platform: string): string =>
  inPackage(join(cacheFolder(toolCache, platform), "node_modules"), platform);

/** npm's loader does not forward signals: the binary that it would start is what we want. */
const binaryBehind = (command: string): string | undefined => {
  const real = realpathSync(command);
  if (basename(real) !== "npm-loader.js") return real;
  const packages = dirname(dirname(real));
  const inside = join(dirname(real), "node_modules", "@github");
  return [packages, inside]
    .flatMap((folder) =>
      possiblePlatforms().map((platform) => join(folder, `copilot-${platform}`, "copilot")),
    )
    .find(isFile);
};

const onPath = (path: string | undefined): string | undefined => {
  const name = windows ? "copilot.exe" : "copilot";
  const command = (path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isFile);
  return command === undefined ? undefined : binaryBehind(command);
};

const checkExplicit = (path: string): string => {
  if (!existsSync(path)) throw new Failure("runtime-missing", `There is no Copilot runtime at ${path}.`);
  if (!isFile(path))
    throw new Failure("configuration", `The runtime path ${path} is not a file: name the executable itself.`);
  return path;
};

const installed = async (search: RuntimeSearch): Promise<string> => {
  const platform = platformHere();
  const executable = inCache(search.toolCache, platform);
  await installRuntime({
    platform,
    executable,
    integrity: runtimeIntegrity[platform],
    folder: cacheFolder(search.toolCache, platform),
    environment: installerEnvironment(search.parentEnvironment, search.secrets),
    log: search.log,
    signal: search.signal,
  });
  return executable;
};

export const findRuntime = async (search: RuntimeSearch): Promise<string> => {
  const { runtimePath, toolCache, parentEnvironment, log, signal, from = here } = search;
  if (runtimePath !== undefined) return checkExplicit(runtimePath);
  const present =
    installedBeside(from) ??
    possiblePlatforms()
      .map((platform) => inCache(toolCache, platform))
      .find(isFile);
  if (present !== undefined) return present;
  try {
    return await installed(search);
  } catch (error) {
    const fallback = signal.aborted ? undefined : onPath(parentEnvironment["PATH"]);
    if (fallback === undefined) throw error;
    log.warning("using the copilot command on the PATH", { path: fallback });
    return fallback;
  }
};
