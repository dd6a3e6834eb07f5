import type { ChildProcess } from "node:child_process";

/** A process, or with a negative number a group. It may be gone already. */
export const kill = (target: number): void => {
  try {
    process.kill(target, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

/** Ends a detached child and everything that it has started. */
export const endGroup = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) kill(-pid);
};
