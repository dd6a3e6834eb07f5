/** Finds places outside our reach where the agent could read a secret that we hold, so that the user hears of them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createDetector } from "../redact.ts";

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

/** `actions/checkout` leaves the job's token there. */
const exposedGitConfig = async (
  workspace: string,
  holdsSecret: (text: string) => boolean,
): Promise<Exposure[]> => {
  const file = join(workspace, ".git", "config");
  return holdsSecret(await readable(file))
    ? [{ where: file, advice: "Check out with `persist-credentials: false`." }]
    : [];
};

export const findExposures = async (secrets: readonly string[], workspace: string): Promise<Exposure[]> => {
  if (secrets.length === 0) return [];
  const holdsSecret = createDetector(secrets);
  const found = await Promise.all([exposedProcesses(holdsSecret), exposedGitConfig(workspace, holdsSecret)]);
  return found.flat();
};
