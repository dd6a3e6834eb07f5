/** A shell that watches this process from outside: should it be killed, its runs are ended and cleaned up all the same. */
import { spawn, type ChildProcess } from "node:child_process";

/**
 * A line names a folder of a run, or all groups that run now. Their end means that whoever wrote them is gone.
 * What is stopped first cannot start more while its children are counted.
 */
const script = `
while IFS= read -r line; do case $line in /*) set -- "$@" "$line" ;; *) groups=$line ;; esac; done
below() { kill -STOP $1; for child in $(cat /proc/$1/task/*/children); do echo $child; below $child; done; }
running() { for group in $groups; do kill -0 -$group && return 0; done; return 1; }
for tool in $(for group in $groups; do below $group; done); do kill -KILL $tool; done
for group in $groups; do kill -TERM -$group; kill -CONT -$group; done
for second in 1 2 3 4 5; do running || break; sleep 1; done
running && for group in $groups; do kill -KILL -$group; done
rm -rf -- "$@"
`;

const pids = new Set<number>();

export const isGuardian = (pid: number): boolean => pids.has(pid);

let shell: ChildProcess | undefined;

const start = (): ChildProcess => {
  const child = spawn("/bin/sh", ["-c", script], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const { pid } = child;
  // Without a shell, or when it was killed, the run goes on unguarded.
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.unref();
  if (pid !== undefined) {
    pids.add(pid);
    child.once("exit", () => pids.delete(pid));
  }
  return child;
};

/** Says which groups run, and in which folders; when none does, the guardian is dismissed. */
export const guard = (groups: ReadonlySet<number>, folders: ReadonlySet<string>): void => {
  if (process.platform === "win32") return;
  if (groups.size > 0) {
    shell ??= start();
    const whole = [...folders].filter((folder) => !folder.includes("\n"));
    shell.stdin?.write([...whole, [...groups].join(" "), ""].join("\n"));
  } else {
    shell?.kill("SIGKILL");
    shell = undefined;
  }
};
