import { listProcesses } from "../../src/harness/process-table.ts";

/** A process and all that it has started, directly or not. */
export const withDescendants = (root: number): number[] => {
  const all = listProcesses();
  const below = (pid: number): number[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  return [root, ...below(root)];
};
