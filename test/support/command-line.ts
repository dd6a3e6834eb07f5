/** The built command line as a stranger runs it: its own home, and nothing of the tests' environment. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "./compiled.ts";
import { ended, type Ended } from "./ordinary-user.ts";

export type CommandLine = {
  folder: string;
  run: (
    args: string[],
    options?: {
      node?: string;
      environment?: Record<string, string>;
      input?: string;
      onStderr?: (text: string, child: ChildProcess) => void;
    },
  ) => Promise<Ended>;
  remove: () => void;
};

export const openCommandLine = (): CommandLine => {
  const folder = mkdtempSync(join(tmpdir(), "cli-"));
  return {
    folder,
    run: (args, { node = process.execPath, environment = {}, input = "", onStderr } = {}) => {
      const child = spawn(node, [join(projectRoot, "dist/cli.js"), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state"), ...environment },
      });
      child.stdin.end(input);
      if (onStderr) child.stderr.on("data", (data: Buffer) => onStderr(data.toString(), child));
      return ended(child);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
