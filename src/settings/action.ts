/** What the runner tells a step: inputs, files, the event, and the state that an earlier step saved. */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nearest } from "../nearest.ts";
import { causeOf, trustOf, type EventTrust } from "./github-event.ts";
import type { RawOptions } from "./option-values.ts";
import { optionNames } from "./options.ts";
import { valueOf, type Environment } from "./problems.ts";

/** The files through which a step tells the runner its outputs, its state and its summary. */
export const commandFileNames = [
  "GITHUB_OUTPUT",
  "GITHUB_STATE",
  "GITHUB_STEP_SUMMARY",
  "GITHUB_ENV",
  "GITHUB_PATH",
] as const;
export type CommandFileName = (typeof commandFileNames)[number];
export type CommandFilePaths = Readonly<Record<CommandFileName, string | undefined>>;

export type ActionWorld = {
  environment: Environment;
  inputs: RawOptions;
  workspace: string;
  temporaryDirectory: string;
  toolCache: string;
  commandFiles: CommandFilePaths;
  event: EventTrust & { name: string };
  actor: string;
  repository: string;
  apiUrl: string;
  /** What the main step saved for its clean-up; absent in the main step. */
  savedState: string | undefined;
};

export const stateName = "copilot-driver";

const prefix = "INPUT_";

const readPayload = (path: string | undefined): unknown => {
  try {
    return path === undefined ? undefined : (JSON.parse(readFileSync(path, "utf8")) as unknown);
  } catch {
    return undefined;
  }
};

/** The runner keeps hyphens and writes names in capitals. */
const inputName = (option: string): string => `${prefix}${option.toUpperCase()}`;

const inputsOf = (environment: Environment): RawOptions =>
  Object.fromEntries(
    optionNames.flatMap((name) => {
      const value = valueOf(environment, inputName(name));
      return value === undefined ? [] : [[name, value]];
    }),
  );

export const readActionWorld = (environment: Environment): ActionWorld => {
  const temporaryDirectory = valueOf(environment, "RUNNER_TEMP") ?? tmpdir();
  const eventName = valueOf(environment, "GITHUB_EVENT_NAME");
  const payload = readPayload(valueOf(environment, "GITHUB_EVENT_PATH"));
  return {
    environment,
    inputs: {
      ...(valueOf(environment, "RUNNER_DEBUG") === "1" && { "log-level": "debug" }),
      ...inputsOf(environment),
    },
    workspace: valueOf(environment, "GITHUB_WORKSPACE") ?? process.cwd(),
    temporaryDirectory,
    toolCache: valueOf(environment, "RUNNER_TOOL_CACHE") ?? join(temporaryDirectory, "tool-cache"),
    commandFiles: Object.fromEntries(
      commandFileNames.map((name) => [name, valueOf(environment, name)]),
    ) as Record<CommandFileName, string | undefined>,
    event: { name: eventName ?? "", ...trustOf(eventName, payload) },
    actor: causeOf(eventName, payload) ?? valueOf(environment, "GITHUB_ACTOR") ?? "",
    repository: valueOf(environment, "GITHUB_REPOSITORY") ?? "",
    apiUrl: valueOf(environment, "GITHUB_API_URL") ?? "https://api.github.com",
    savedState: valueOf(environment, `STATE_${stateName}`),
  };
};

/** A misspelt input would silently leave its default in force; any other variable of this kind may be the job's own. */
export const inputMistakes = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !optionNames.some((option) => inputName(option) === name))
    .flatMap((name) => {
      const given = name.slice(prefix.length).toLowerCase();
      const near = nearest(given, optionNames);
      return near === undefined ? [] : [`${given}: there is no such input; perhaps ${near}?`];
    });
