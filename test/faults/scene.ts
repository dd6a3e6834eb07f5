/** A folder, a driver in it, and everything that runs there: started, watched, and gone at the end. */
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectRoot } from "../support/compiled.ts";
import type { Aftermath } from "./aftermath.ts";

export type Live = {
  child: ChildProcess;
  /** Resolves when the log holds the text: on stderr, or that of a step on stdout. */
  said: (text: string) => Promise<void>;
};

export type Launch = {
  environment?: Record<string, string>;
  /** A line of Bash that ends in `"$@"`, around the driver's command. */
  shell?: string;
  stdio?: StdioOptions;
  /** What happens to the driver while it runs. */
  meanwhile?: ((live: Live) => void | Promise<void>) | undefined;
};

export type Scene = {
  folder: string;
  temporary: string;
  /** Between 0 and 1, repeatable. */
  random: () => number;
  token: string;
  /** Everything that must turn up nowhere. */
  secrets: string[];
  workspace: string;
  /** Ends with the scene, whatever happens. */
  onEnd: (end: () => unknown) => void;
  drive: (environment: Record<string, string>, launch?: Launch) => Promise<Aftermath>;
  /** The command line instead of the driver alone: harness, sidecar and driver. */
  command: (args: string[], launch?: Launch) => Promise<Aftermath>;
  /** A program of the Action, as a step of a job. */
  step: (
    program: "index.js" | "post.js",
    environment: Record<string, string>,
    launch?: Launch,
  ) => Promise<Aftermath>;
  /** What still runs, after what is ending has had a moment to end. */
  survivors: () => Promise<string[]>;
  end: () => Promise<void>;
};

type Found = { pid: number; command: string; isOurs: boolean };

const readOf = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

const placeOf = (pid: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
};

/**
 * Whoever has the folder's name in its command line, calls it home or works in it belongs to the scene.
 * The last may be a tool of a runtime that the laboratory itself has started, which ends with the scene.
 */
const processesOf = (folder: string): Found[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      const command = readOf(pid, "cmdline").replaceAll("\0", " ").trim();
      const isOurs = command.includes(folder) || readOf(pid, "environ").includes(`HOME=${folder}\0`);
      return { pid, command, isOurs };
    })
    .filter(({ pid, command, isOurs }) => command !== "" && (isOurs || placeOf(pid).startsWith(folder)))
    .map((found) => ({ ...found, pid: Number(found.pid) }));

/** For a process that may be gone already. */
export const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

const killAfterMs = 120_000;

const run = async (
  folder: string,
  command: readonly string[],
  env: Record<string, string>,
  launch: Launch,
): Promise<Aftermath> => {
  const { shell, stdio = ["ignore", "pipe", "pipe"], meanwhile } = launch;
  const [program = "", ...args] = shell === undefined ? command : ["bash", "-c", shell, "bash", ...command];
  const startedAt = performance.now();
  const child = spawn(program, args, { env, stdio, detached: true });
  const overdue = setTimeout(() => {
    for (const { pid } of processesOf(folder)) signalTo(pid, "SIGKILL");
  }, killAfterMs);
  let [stdout, stderr] = ["", ""];
  const waiting = new Map<string, () => void>();
  const isSaid = (text: string) => stderr.includes(text) || stdout.includes(text);
  const tellWhoWaits = () => {
    for (const [text, tell] of waiting) if (isSaid(text)) tell();
  };
  child.stdout?.on("data", (data: Buffer) => {
    stdout += data.toString();
    tellWhoWaits();
  });
  child.stderr?.on("data", (data: Buffer) => {
    stderr += data.toString();
    tellWhoWaits();
  });
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      waiting.set(text, resolve);
      tellWhoWaits();
    });
  const ended = new Promise<Aftermath>((resolve, reject) => {
    child.once("error", reject);
    Promise.resolve(meanwhile?.({ child, said })).catch(reject);
    child.once("close", (exitCode, signal) => {
      const seconds = (performance.now() - startedAt) / 1000;
      resolve({ exitCode, signal, stdout, stderr, seconds });
    });
  });
  return ended.finally(() => clearTimeout(overdue));
};

const open = new Set<Scene>();

/** For a laboratory that is cancelled: nothing may stay behind. */
export const endOpenScenes = async (): Promise<void> => {
  await Promise.all([...open].map((scene) => scene.end()));
};

export const openScene = (random: () => number): Scene => {
  const folder = mkdtempSync(join(tmpdir(), "fault-"));
  const token = randomBytes(32).toString("hex");
  const workspace = join(folder, "workspace");
  const temporary = join(folder, "tmp");
  for (const path of [workspace, temporary]) mkdirSync(path);
  // Copies, so that the scene's processes can be told from all others by their command lines.
  for (const file of ["driver.js", "cli.js", "index.js", "post.js", "package.json"])
    cpSync(join(projectRoot, "dist", file), join(folder, "dist", file), { recursive: true });
  symlinkSync(join(projectRoot, "dist", "native"), join(folder, "dist", "native"));
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  const prompt = join(folder, "prompt.txt");
  writeFileSync(prompt, "Do the work.");
  const ends: (() => unknown)[] = [];
  const canary = "ghs_canaryOfTheFaultLaboratory0123456789";
  const secrets = [token, canary];
  const base = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: temporary,
    GITHUB_TOKEN: canary,
  };

  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    open.delete(scene);
    for (const end of ends) await end();
    for (const { pid } of processesOf(folder)) signalTo(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  const scene: Scene = {
    folder,
    temporary,
    random,
    token,
    secrets,
    workspace,
    onEnd: (end) => ends.unshift(end),
    drive: (environment, launch = {}) =>
      run(
        folder,
        [process.execPath, join(folder, "dist/driver.js")],
        {
          ...base,
          GH_AW_PROMPT: prompt,
          COPILOT_CONNECTION_TOKEN: token,
          COPILOT_MODEL: "rehearsal",
          COPILOT_SDK_LOG_LEVEL: "info",
          GITHUB_WORKSPACE: workspace,
          GH_AW_SESSION_STATE_BASE_DIR: join(folder, "events"),
          COPILOT_SDK_RESULT_FILE: join(folder, "result.json"),
          ...environment,
          ...launch.environment,
        },
        launch,
      ),
    command: (args, launch = {}) =>
      run(
        folder,
        [process.execPath, join(folder, "dist/cli.js"), ...args],
        { ...base, XDG_STATE_HOME: join(folder, "state"), ...launch.environment },
        launch,
      ),
    step: (program, environment, launch = {}) =>
      run(
        folder,
        [process.execPath, join(folder, "dist", program)],
        {
          ...base,
          RUNNER_TEMP: temporary,
          GITHUB_WORKSPACE: workspace,
          GITHUB_EVENT_NAME: "push",
          "INPUT_GITHUB-TOKEN": canary,
          ...environment,
          ...launch.environment,
        },
        launch,
      ),
    survivors: async () => {
      const ours = () => processesOf(folder).filter(({ isOurs }) => isOurs);
      for (let tries = 0; tries < 80 && ours().length > 0; tries++) await delay(100);
      return ours().map(({ command }) => command.slice(0, 100));
    },
    end: () => (ending ??= end()),
  };
  open.add(scene);
  return scene;
};
