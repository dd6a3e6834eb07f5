/** Makes this process unreadable to other processes of the same user: no /proc/<pid>/environ or mem, no debugger. */
import { readFileSync } from "node:fs";
import { accessPrctl } from "./prctl.ts";

export type Seal = { sealed: true } | { sealed: false; why: string };

const setDumpable = 4;
const tracerCapability = 1n << 19n;

/** Whoever holds CAP_SYS_PTRACE reads every process, and so would the agent as our descendant. */
export const mayTraceEverything = (): boolean => {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${effective}`) & tracerCapability) !== 0n;
};

const ignore = (): void => undefined;

/** Without a listener, SIGUSR1 opens Node's inspector to anyone on this machine. */
const keepInspectorShut = (): void => {
  if (process.platform === "win32" || process.listeners("SIGUSR1").includes(ignore)) return;
  process.on("SIGUSR1", ignore);
};

export const sealThisProcess = (): Seal => {
  keepInspectorShut();
  const access = accessPrctl();
  if (access.prctl === undefined) return { sealed: false, why: access.why };
  if (access.prctl(setDumpable, 0) !== 0) return { sealed: false, why: "the system refused it" };
  if (mayTraceEverything()) return { sealed: false, why: "this user may read every process, as root does" };
  return { sealed: true };
};
