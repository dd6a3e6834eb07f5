/** 1, 4 and 16 whole runs at once: how long each takes, and how much memory its processes hold together. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../test/support/compiled.ts";
import { rowOf, type Row } from "./measure.ts";

const script = `allow: all
steps:
  - { tool: bash, with: { command: "echo $((6*7))", description: x, mode: sync } }
  - { say: The answer is 42. }
`;

const kilobytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

/** Resident memory of a process and everything below it; shared pages count once per process. */
const treeMegabytes = (root: number): number => {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each)))
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // It ended between the two looks.
    }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  const sizes = [...parents.keys()].filter(isBelow).map((pid) => {
    try {
      return kilobytes(pid);
    } catch {
      return 0;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
};

type Run = { milliseconds: number; megabytes: number };

const runOnce = (folder: string): Promise<Run> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      TMPDIR: folder,
      XDG_STATE_HOME: join(folder, "state"),
    };
    const args = [join(projectRoot, "dist/cli.js"), "rehearse", join(folder, "script.yml")];
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    let megabytes = 0;
    const look = setInterval(() => (megabytes = Math.max(megabytes, treeMegabytes(child.pid ?? 0))), 100);
    child.once("error", reject);
    child.once("close", (status) => {
      clearInterval(look);
      if (status === 0) resolve({ milliseconds: performance.now() - start, megabytes });
      else reject(new Error(`A run failed with ${status}.`));
    });
  });

export const benchConcurrency = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-many-"));
  writeFileSync(join(folder, "script.yml"), script);
  try {
    await runOnce(folder);
    const rows: Row[] = [];
    for (const count of [1, 4, 16]) {
      const start = performance.now();
      const runs = await Promise.all(Array.from({ length: count }, () => runOnce(folder)));
      rows.push(
        { name: `${count} at once: all done`, median: performance.now() - start, unit: "ms" },
        rowOf(
          `${count} at once: each run`,
          runs.map(({ milliseconds }) => milliseconds),
        ),
        rowOf(
          `${count} at once: peak memory of each`,
          runs.map(({ megabytes }) => megabytes),
          "MB",
        ),
      );
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
