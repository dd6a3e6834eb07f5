/** Ends what the agent left running: a process that outlives the run could wait for the secrets of whatever comes next. */
import { readdirSync, readFileSync } from "node:fs";
import { isGuardian } from "./guardian.ts";
import { accessPrctl } from "./prctl.ts";
import { liveGroupLeaders } from "./process-group.ts";
import { listProcesses, type ProcessEntry } from "./process-table.ts";

const setChildSubreaper = 36;

/** From here on, orphans among our descendants become our children instead of the system's, and can be found. */
export const adoptOrphans = (): boolean => {
  const { prctl } = accessPrctl();
  return prctl !== undefined && prctl(setChildSubreaper, 1) === 0;
};

/** Descendants in a session of their own; what is in our session, our host has started itself. */
const strayDescendants = (table: readonly ProcessEntry[]): number[] => {
  const own = table.find(({ pid }) => pid === process.pid);
  const leaders = liveGroupLeaders();
  const childrenOf = (parent: number): ProcessEntry[] =>
    table.filter(
      ({ pid, parent: of, isZombie }) => of === parent && !leaders.has(pid) && !isGuardian(pid) && !isZombie,
    );
  const below = (parent: number): ProcessEntry[] =>
    childrenOf(parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(process.pid)
    .filter(({ session }) => session !== own?.session)
    .map(({ pid }) => pid);
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
};

/** Orphans come to us as direct children: mostly there are none, and the whole table need not be read. */
const hasChildren = (): boolean => {
  try {
    return readdirSync("/proc/self/task")
      .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, "utf8").match(/\d+/g) ?? [])
      .some((pid) => !isGuardian(Number(pid)));
  } catch {
    // Not every kernel offers this list.
    return true;
  }
};

/** Several rounds, because a process may start another one while we look. Returns how many were ended. */
export const endLeftovers = (): number => {
  const ended = new Set<number>();
  // Another run in this process is still at work: its orphans are not to be told from ours.
  if (process.platform !== "linux" || liveGroupLeaders().size > 0 || !hasChildren()) return 0;
  for (let round = 0; round < 10; round += 1) {
    const strays = strayDescendants(listProcesses());
    if (strays.length === 0) break;
    for (const pid of strays) {
      kill(pid);
      ended.add(pid);
    }
  }
  return ended.size;
};
