/** A child in a process group of its own, which ends as a whole: politely, then by force. */
import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Environment } from "./environment.ts";
import { guard } from "./guardian.ts";
import { liveFolders } from "./run-folder.ts";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export const describeExit = ({ code, signal }: Exit): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`;

export type ProcessGroup = {
  child: ChildProcess;
  pid: number;
  exited: Promise<Exit>;
  /** Resolves when the leader is gone and the rest of its group has been killed. */
  stop: (signal: NodeJS.Signals, graceMs: number) => Promise<Exit>;
};

const groupsOfItsOwn = process.platform !== "win32";

const live = new Set<number>();

export const liveGroupLeaders = (): ReadonlySet<number> => live;

/** Also for groups that an earlier process of ours has started. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    if (groupsOfItsOwn) process.kill(-pid, signal);
    else if (signal === "SIGKILL") spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    else process.kill(pid, signal);
  } catch {
    // Already gone.
  }
};

export const killLiveGroups = (): void => {
  for (const pid of live) signalGroup(pid, "SIGKILL");
};

/** The last resort, should this process end without having stopped its children. */
process.on("exit", killLiveGroups);

export const startGroup = async (
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Environment; stdio: StdioOptions },
): Promise<ProcessGroup> => {
  const child = spawn(command, args, { ...options, detached: groupsOfItsOwn, windowsHide: true });
  const { pid } = child;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      resolve({ code, signal });
    });
  });
  if (pid === undefined)
    return new Promise((_, reject) => {
      child.once("error", reject);
    });
  live.add(pid);
  guard(live, liveFolders());
  // A signal that cannot be delivered is an "error" too, and must not end us.
  child.on("error", () => undefined);
  const send = (signal: NodeJS.Signals): void => signalGroup(pid, signal);

  const stop = async (signal: NodeJS.Signals, graceMs: number): Promise<Exit> => {
    const patience = new AbortController();
    send(signal);
    const inTime = wait(graceMs, false, { signal: patience.signal }).catch(() => true);
    if (!(await Promise.race([exited.then(() => true), inTime]))) send("SIGKILL");
    const exit = await exited;
    patience.abort();
    // Whatever the leader left behind in its group.
    send("SIGKILL");
    live.delete(pid);
    guard(live, liveFolders());
    return exit;
  };

  return { child, pid, exited, stop };
};
