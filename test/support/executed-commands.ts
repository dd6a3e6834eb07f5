/** What real Bash executes, observed: no program is on its path, so it reports every command to a handler of ours. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endGroup } from "./end-group.ts";

/** Loops that never end are stopped once they have shown what they run. */
const handler = `command_not_found_handle() {
  echo "$1" >> "$EXECUTED"
  read -r -N 3000 seen < "$EXECUTED"
  if (( \${#seen} > 1500 )); then kill -9 $$; fi
}`;

export const executedCommands = async (text: string): Promise<{ commands: string[]; files: string[] }> => {
  const folder = mkdtempSync(join(tmpdir(), "executed-"));
  try {
    mkdirSync(join(folder, "work"));
    writeFileSync(join(folder, "handler"), handler);
    writeFileSync(join(folder, "executed"), "");
    await new Promise<void>((resolve, reject) => {
      const child = spawn("/bin/bash", ["--norc", "--noprofile", "-c", text], {
        cwd: join(folder, "work"),
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
        env: {
          FUNCNEST: "20",
          PATH: "/nonexistent",
          BASH_ENV: join(folder, "handler"),
          EXECUTED: join(folder, "executed"),
        },
      });
      const timer = setTimeout(() => endGroup(child), 10_000);
      child.stdout.resume();
      child.once("error", reject);
      child.once("close", () => {
        clearTimeout(timer);
        endGroup(child);
        resolve();
      });
    });
    return {
      commands: readFileSync(join(folder, "executed"), "utf8")
        .split("\n")
        .filter((line) => line !== ""),
      files: readdirSync(join(folder, "work")),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};
