/** The processes of a Linux system, as far as they concern us. */
import { readdirSync, readFileSync } from "node:fs";

export type ProcessEntry = { pid: number; parent: number; session: number; isZombie: boolean };

/** `pid (name) state ppid pgrp session …`; the name may contain anything, brackets included. */
const parseStat = (stat: string): ProcessEntry => {
  const [state, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    session: Number(session),
    isZombie: state === "Z",
  };
};

export const listProcesses = (): ProcessEntry[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"))];
      } catch {
        // It ended while we were looking.
        return [];
      }
    });
