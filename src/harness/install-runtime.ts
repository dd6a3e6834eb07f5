/** Installs the pinned runtime into the tool cache with npm, which checks it against our hash. */
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import { makeFolder } from "../make-folder.ts";
import type { Environment } from "./environment.ts";
import { createOutputRing } from "./output-ring.ts";
import { runtimeVersion } from "./pinned-runtime.ts";
import { describeExit, startGroup } from "./process-group.ts";

export type Installation = {
  platform: string;
  integrity: string | undefined;
  /** Where it shall be. */
  folder: string;
  /** The file in there without which it is none. */
  executable: string;
  environment: Environment;
  log: Log;
  signal: AbortSignal;
};

export const packageName = (platform: string): string => `@github/copilot-sdk-${platform}`;

const progressMs = 5_000;
const stopGraceMs = 1_500;

/** A lock file of our own making: npm refuses whatever does not have this hash. */
const writeLock = (folder: string, platform: string, integrity: string): void => {
  const dependencies = { [packageName(platform)]: runtimeVersion };
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { dependencies },
      [`node_modules/${packageName(platform)}`]: { version: runtimeVersion, integrity },
    },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
};

const npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
/** npm is a batch file on Windows, which only its command interpreter can start. */
const [command = "", ...commandArguments] =
  process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", ...npm] : npm;

const runNpm = async (cwd: string, { environment, signal, log }: Installation): Promise<void> => {
  const group = await startGroup(command, commandArguments, {
    cwd,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  }).catch(() => {
    throw new Failure("runtime-missing", "npm, which would install the Copilot runtime, is not on the PATH.");
  });
  const output = createOutputRing();
  group.child.stderr?.setEncoding("utf8").on("data", output.add);
  const startedAt = performance.now();
  const progress = setInterval(() => {
    log.always("still installing the Copilot runtime", {
      seconds: Math.round((performance.now() - startedAt) / 1000),
    });
  }, progressMs);
  const cancel = (): void => void group.stop("SIGTERM", stopGraceMs);
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const exit = await group.exited;
    await group.stop("SIGTERM", stopGraceMs);
    if (exit.code === 0) return;
    const line = /npm error (?!code|A complete log)(.+)/.exec(output.text())?.[1] ?? describeExit(exit);
    throw new Failure("runtime-missing", `npm could not install the Copilot runtime: ${line}`);
  } finally {
    clearInterval(progress);
    signal.removeEventListener("abort", cancel);
  }
};

/** Another run may have been faster: what is there then may be in use. What has no executable is a ruin. */
const moveInto = (staging: string, { folder, executable }: Installation): void => {
  try {
    renameSync(staging, folder);
  } catch {
    if (existsSync(executable)) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
  }
};

export const installRuntime = async (installation: Installation): Promise<void> => {
  const { platform, integrity, folder, log } = installation;
  if (integrity === undefined)
    throw new Failure(
      "runtime-missing",
      `No hash of the Copilot runtime for ${platform} ships with this release, so it is not installed.`,
      { advice: `Install ${packageName(platform)}@${runtimeVersion} yourself and point to it explicitly.` },
    );
  log.always("installing the Copilot runtime", { package: packageName(platform), version: runtimeVersion });
  makeFolder(dirname(folder));
  const staging = mkdtempSync(join(dirname(folder), ".installing-"));
  try {
    writeLock(staging, platform, integrity);
    await runNpm(staging, installation);
    moveInto(staging, installation);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  log.always("installed the Copilot runtime", { folder });
};
