/** What the command line takes from its surroundings. */
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { valueOf, type Environment } from "./problems.ts";

export type Surroundings = {
  environment: Environment;
  /** Each run gets a folder of its own here, and keeps it. */
  runsFolder: string;
  toolCache: string;
  temporaryDirectory: string;
  colours: boolean;
  /** Whether a line may be drawn again and again. */
  animations: boolean;
};

const windowsFolder = (environment: Environment, name: string): string | undefined =>
  process.platform === "win32" ? valueOf(environment, name) : undefined;

/** The XDG specification has relative paths ignored. */
const absoluteFolder = (environment: Environment, name: string): string | undefined => {
  const folder = valueOf(environment, name);
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
};

export const readSurroundings = (environment: Environment): Surroundings => {
  const home = homedir();
  const state =
    absoluteFolder(environment, "XDG_STATE_HOME") ??
    windowsFolder(environment, "LOCALAPPDATA") ??
    join(home, ".local", "state");
  const cache =
    absoluteFolder(environment, "XDG_CACHE_HOME") ??
    windowsFolder(environment, "LOCALAPPDATA") ??
    join(home, ".cache");
  const animations = valueOf(environment, "TERM") !== "dumb";
  return {
    environment,
    runsFolder: join(state, "copilot-driver", "runs"),
    toolCache: valueOf(environment, "RUNNER_TOOL_CACHE") ?? join(cache, "copilot-driver"),
    temporaryDirectory: tmpdir(),
    colours: valueOf(environment, "NO_COLOR") === undefined && animations,
    animations,
  };
};
