/** The built driver, spawned as a harness would, against the real runtime with a scripted model. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import type { Turn } from "../../src/rehearsal/turn.ts";
import type { SessionResult } from "../../src/session/result.ts";
import { projectRoot } from "./compiled.ts";
import { ended } from "./ordinary-user.ts";
import { startRuntime, type Runtime } from "./runtime.ts";

export const driverFile = join(projectRoot, "dist", "driver.js");

export type LoggedEvent = {
  type: string;
  timestamp: string;
  ephemeral?: boolean;
  data: Record<string, unknown>;
};

export type DriverRun = {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  result: SessionResult | undefined;
  /** The text of every event log that the run left, by session id. */
  eventLogs: Record<string, string>;
  events: LoggedEvent[];
};

export type World = {
  api: ScriptedApi;
  runtime: Runtime;
  folder: string;
  environment: Record<string, string>;
  start: (
    environment?: Record<string, string | undefined>,
    node?: string,
  ) => { child: ChildProcess; finished: Promise<DriverRun> };
  run: (environment?: Record<string, string | undefined>, node?: string) => Promise<DriverRun>;
  stop: () => Promise<void>;
};

const readLogs = (base: string): Record<string, string> =>
  existsSync(base)
    ? Object.fromEntries(
        readdirSync(base)
          .map((id) => [id, join(base, id, "events.jsonl")] as const)
          .filter(([, file]) => existsSync(file))
          .map(([id, file]) => [id, readFileSync(file, "utf8")]),
      )
    : {};

export const parseEvents = (text: string): LoggedEvent[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LoggedEvent);

/** Runs the driver with nothing in its environment but what is given. */
export const spawnDriver = (
  environment: Record<string, string | undefined>,
  node = process.execPath,
  file = driverFile,
) =>
  spawn(node, [file, "ignored-argument"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
  });

/** `before` stands between the runtime and the scripted API. */
export const startWorld = async (
  turns: readonly Turn[],
  prompt = "Do the work.",
  before?: (api: ScriptedApi) => Promise<{ environment: Record<string, string>; close: () => Promise<void> }>,
): Promise<World> => {
  const api = await startScriptedApi({ turns });
  const front = await before?.(api);
  const runtime = await startRuntime((front ?? api).environment);
  const folder = mkdtempSync(join(tmpdir(), "driver-"));
  const promptFile = join(folder, "prompt.txt");
  writeFileSync(promptFile, prompt);
  let runs = 0;
  const environment = {
    GH_AW_PROMPT: promptFile,
    COPILOT_SDK_URI: runtime.uri,
    COPILOT_CONNECTION_TOKEN: runtime.token,
    COPILOT_MODEL: api.model,
    GITHUB_WORKSPACE: runtime.workspace,
  };

  const start: World["start"] = (extra = {}, node) => {
    const run = join(folder, `run-${runs++}`);
    const files = { GH_AW_SESSION_STATE_BASE_DIR: `${run}-events`, COPILOT_SDK_RESULT_FILE: `${run}.json` };
    const child = spawnDriver({ ...environment, ...files, ...extra }, node);
    const finished = ended(child).then(({ status, stdout, stderr }): DriverRun => {
      const eventLogs = readLogs(files.GH_AW_SESSION_STATE_BASE_DIR);
      return {
        exitCode: status,
        stdout,
        stderr,
        result: existsSync(files.COPILOT_SDK_RESULT_FILE)
          ? (JSON.parse(readFileSync(files.COPILOT_SDK_RESULT_FILE, "utf8")) as SessionResult)
          : undefined,
        eventLogs,
        events: Object.values(eventLogs).flatMap(parseEvents),
      };
    });
    return { child, finished };
  };

  return {
    api,
    runtime,
    folder,
    environment,
    start,
    run: (extra, node) => start(extra, node).finished,
    stop: async () => {
      await Promise.all([runtime.stop(), front?.close(), api.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
