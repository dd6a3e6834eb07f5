/** Finds places outside our reach where the agent could read a secret that we hold, so that the user hears of them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createDetector } from "../redact.ts";
import { readRegularFile } from "./untrusted-file.ts";

export type Exposure = { where: string; advice: string };

const readable = (path: string): Promise<string> => readFile(path, "latin1").catch(() => "");

const nameOf = async (pid: string): Promise<string> => (await readable(`/proc/${pid}/comm`)).trim();

/** Whoever started us, an npm or a shell, may hold the secret in an environment that nobody sealed. */
const exposedProcesses = async (holdsSecret: (text: string) => boolean): Promise<Exposure[]> => {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const found = await Promise.all(
    pids.map(async (pid) => (holdsSecret(await readable(`/proc/${pid}/environ`)) ? [pid] : [])),
  );
  return Promise.all(
    found.flat().map(async (pid) => ({
      where: `environment of process ${pid} (${await nameOf(pid)})`,
      advice: "Do not export the credential: set it for this one command.",
    })),
  );
};

const longestConfig = 1024 * 1024;

/** `actions/checkout` leaves the job's token there; an earlier agent may have left a pipe. */
const exposedGitConfig = (workspace: string, holdsSecret: (text: string) => boolean): Exposure[] => {
  const file = join(workspace, ".git", "config");
  return holdsSecret(readRegularFile(file, longestConfig) ?? "")
    ? [{ where: file, advice: "Check out with `persist-credentials: false`." }]
    : [];
};

export const findExposures = async (secrets: readonly string[], workspace: string): Promise<Exposure[]> => {
  if (secrets.length === 0) return [];
  const holdsSecret = createDetector(secrets);
  return [...exposedGitConfig(workspace, holdsSecret), ...(await exposedProcesses(holdsSecret))];
};
