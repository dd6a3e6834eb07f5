/** The harness in a process of its own, as an ordinary user, with everything that it says. */
import { spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { HarnessResult, HarnessSettings } from "../../src/harness/settings.ts";
import { listProcesses } from "../../src/harness/process-table.ts";
import { compileSources, projectRoot, type Compiled } from "./compiled.ts";
import { folderOfOrdinaryUser, ordinaryUser, spawnAsOrdinaryUser } from "./ordinary-user.ts";

export type Said = {
  log?: string;
  mask?: string;
  driver?: string;
  event?: string;
  started?: { pid?: number; folder?: string };
  result?: HarnessResult;
};

export type HarnessProcess = {
  child: ChildProcess;
  said: Said[];
  /** Resolves with the first line that the test answers with true. */
  until: (is: (said: Said) => boolean) => Promise<Said>;
  ended: Promise<{ status: number | null; signal: NodeJS.Signals | null; result: HarnessResult | undefined }>;
  logs: () => string;
};

export type HarnessWorld = {
  compiled: Compiled;
  folder: string;
  workspace: string;
  temporary: string;
  runtime: string;
  write: (name: string, text: string, mode?: number) => string;
  start: (settings: Partial<HarnessSettings>, environment?: Record<string, string>) => HarnessProcess;
  /** Processes of this world that are still there, and files that should not be. */
  leftBehind: () => Promise<string[]>;
  remove: () => void;
};

const platform = `${process.platform}-${process.arch}`;
const packagedRuntime = join("node_modules/@github", `copilot-sdk-${platform}`);
const executable = join("prebuilds", platform, "copilot-runtime");

/** The project may lie where only its owner may look: then the runtime is copied to where everybody may. */
export const readableRuntime = (compiled: Compiled): string => {
  const inPlace = join(projectRoot, packagedRuntime);
  const canRead = spawnSync("test", ["-r", join(inPlace, executable)], ordinaryUser).status === 0;
  if (canRead) return join(inPlace, executable);
  const copy = join(compiled.folder, packagedRuntime);
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(inPlace, copy, { recursive: true });
  return join(copy, executable);
};

/** The user's processes, when the tests have a user of their own; else only those of the groups that we know. */
const isOfOrdinaryUser = (pid: number): boolean =>
  ordinaryUser !== undefined && new RegExp(`^Uid:\\s+${ordinaryUser.uid}\\s`, "m").test(statusOf(pid));

const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
};

const give = (path: string): string => {
  if (ordinaryUser) chownSync(path, ordinaryUser.uid, ordinaryUser.gid);
  return path;
};

export const createHarnessWorld = (): HarnessWorld => {
  const compiled = compileSources();
  cpSync(join(projectRoot, "test/support/harness-door.mjs"), join(compiled.folder, "door.mjs"));
  const place = folderOfOrdinaryUser();
  const make = (name: string): string => {
    mkdirSync(join(place.folder, name));
    return give(join(place.folder, name));
  };
  const [workspace, temporary, home] = [make("workspace"), make("tmp"), make("home")];
  const runtime = readableRuntime(compiled);
  const started: number[] = [];

  const write = (name: string, text: string, mode = 0o755): string => {
    const path = join(place.folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return give(path);
  };

  const start: HarnessWorld["start"] = (settings, environment = {}) => {
    const child = spawnAsOrdinaryUser(process.execPath, [join(compiled.folder, "door.mjs")], {
      cwd: workspace,
      env: { PATH: process.env["PATH"], HOME: home, TMPDIR: temporary, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const said: Said[] = [];
    const waiting = new Set<() => void>();
    let errors = "";
    child.stderr?.on("data", (data: Buffer) => (errors += data.toString()));
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on("line", (line) => {
        const item = JSON.parse(line) as Said;
        said.push(item);
        if (item.started?.pid !== undefined) started.push(item.started.pid);
        for (const check of waiting) check();
      });
    const ended: HarnessProcess["ended"] = new Promise((resolve) => {
      child.once("close", (status, signal) => {
        resolve({ status, signal, result: said.find(({ result }) => result)?.result });
      });
    });
    child.stdin?.end(
      JSON.stringify({
        prompt: "Do what the script says.",
        model: "rehearsal",
        credential: { kind: "scripted", environment: {} },
        workspace,
        permissions: { allowAllTools: true },
        timeLimit: { kind: "minutes", minutes: 2 },
        retries: 0,
        runtimePath: runtime,
        toolCache: join(place.folder, "cache"),
        eventLogBase: join(place.folder, "events"),
        temporaryDirectory: temporary,
        logLevel: "info",
        ...settings,
      } satisfies Partial<HarnessSettings>),
    );
    return {
      child,
      said,
      ended,
      until: (is) =>
        new Promise((resolve, reject) => {
          const check = (): void => {
            const item = said.find(is);
            if (item !== undefined) {
              waiting.delete(check);
              resolve(item);
            }
          };
          waiting.add(check);
          check();
          void ended.then(() => reject(new Error(`It ended first: ${JSON.stringify(said)} ${errors}`)));
        }),
      logs: () => said.map((item) => item.log ?? item.driver ?? "").join("\n") + errors,
    };
  };

  const remains = (): string[] => {
    const sessions = new Set(started);
    const processes = listProcesses().filter(
      ({ pid, session, isZombie }) => !isZombie && (sessions.has(session) || isOfOrdinaryUser(pid)),
    );
    return [...processes.map(({ pid }) => `process ${pid}`), ...readdirSync(temporary)];
  };

  /** A killed process takes a moment to vanish. */
  const leftBehind = async (): Promise<string[]> => {
    for (let patience = 40; patience > 0 && remains().length > 0; patience -= 1) await wait(50);
    return remains();
  };

  return {
    compiled,
    folder: place.folder,
    workspace,
    temporary,
    runtime,
    write,
    start,
    leftBehind,
    remove: () => {
      place.remove();
      compiled.remove();
    },
  };
};
