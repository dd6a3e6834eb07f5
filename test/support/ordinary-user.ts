/** Security tests run as an ordinary user: root may read everything, and would prove nothing. */
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const isRoot = process.getuid?.() === 0;

/** An id that no account and no other test worker uses. */
const id = 20_000 + (process.pid % 20_000);

export const ordinaryUser = isRoot ? { uid: id, gid: id } : undefined;

export const folderOfOrdinaryUser = (): { folder: string; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "ordinary-"));
  if (isRoot) chownSync(folder, id, id);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

export const spawnAsOrdinaryUser = (
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess => spawn(command, args, { ...options, ...ordinaryUser });

export type Ended = { status: number | null; stdout: string; stderr: string };

export const ended = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve, reject) => {
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr?.on("data", (data: Buffer) => (stderr += data.toString()));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
