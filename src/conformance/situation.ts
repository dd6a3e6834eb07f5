/** A situation that a driver is put in, and what was seen from outside. */
import type { Turn } from "../rehearsal/turn.ts";
import type { End } from "./driver-run.ts";
import type { PermissionRequest, Traffic } from "./traffic.ts";

export type Permissions = { allowAllTools?: boolean; allowedTools?: readonly string[] };

export type Situation = {
  /** What the model does; `{{workspace}}` is the folder of this run. */
  turns?: readonly Turn[];
  permissions?: Permissions;
  /** Changes to the environment contract; `undefined` takes a variable away. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Requests that the model cannot provoke. */
  inject?: readonly PermissionRequest[];
  /** Values that the driver must not use or repeat, by the variable that carries them. */
  canaries?: Readonly<Record<string, string>>;
  /** The connection token where a platform token belongs. */
  tokenAs?: readonly string[];
};

export type Observation = {
  /** What the driver was told to send. */
  prompt: string;
  end: End;
  stdout: string;
  stderr: string;
  traffic: Traffic;
  /** Which secret turned up where, for example "COPILOT_CONNECTION_TOKEN in the output". */
  leaks: string[];
  /** Names in the workspace after the run. */
  files: string[];
};

export const answered: readonly Turn[] = [{ text: "The work is done." }];

export const describeEnd = (end: End): string => {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code}`;
    case "signalled":
      return `ended by ${end.signal}`;
    case "hung":
      return `still running after ${end.afterMs / 1000} s, killed`;
    case "flooded":
      return `killed after ${end.bytes / 1024 / 1024} MB of output and messages`;
  }
};

const lastWord = (text: string): string => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.findLast((line) => /error|fail/i.test(line)) ?? lines.at(-1) ?? "";
  return telling.trim().slice(0, 200);
};

/** For runs that should have gone well: with the driver's own word when they did not. */
export const describeRun = (seen: Observation): string => {
  const said = succeeded(seen) ? "" : lastWord(seen.stderr);
  return said === "" ? describeEnd(seen.end) : `${describeEnd(seen.end)} (it said: ${said})`;
};

export const succeeded = ({ end }: Observation): boolean => end.kind === "exited" && end.code === 0;

/** A crash by a signal is not an exit status that a driver chose. */
export const failed = ({ end }: Observation): boolean => end.kind === "exited" && end.code !== 0;
