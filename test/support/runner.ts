/** GitHub's runner as far as a step meets it: inputs, command files, and how it reads a step's log. */
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "./compiled.ts";
import { nodes } from "./nodes.ts";

const [, [, actionsNode = ""] = []] = nodes;
export const node24 = actionsNode;
const platform = `${process.platform}-${process.arch}`;
export const runtimePath = join(
  projectRoot,
  `node_modules/@github/copilot-sdk-${platform}/prebuilds/${platform}/copilot-runtime`,
);

export const jobToken = `ghs_${"j0bT0ken".repeat(5)}`;

export type Metadata = {
  inputs: Record<string, { description: string; default?: string }>;
  outputs: Record<string, { description: string }>;
  runs: { using: string; main: string; post: string };
};

export const action = parse(readFileSync(join(projectRoot, "action.yml"), "utf8")) as Metadata;

/** The runner fills in defaults, evaluates their expressions, and keeps hyphens in the names. */
export const inputVariables = (inputs: Record<string, string>): Record<string, string> => {
  const defaults = Object.entries(action.inputs).map(([name, { default: value }]) => [
    name,
    value === "${{ github.token }}" ? jobToken : (value ?? ""),
  ]);
  const all = { ...(Object.fromEntries(defaults) as Record<string, string>), ...inputs };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
};

/** `name=value` and `name<<delimiter`, as the runner's file commands are read; the last of a name wins. */
export const parseCommandFile = (text: string): Record<string, string> => {
  const found: Record<string, string> = {};
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line === "") continue;
    const [equals, heredoc] = [line.indexOf("="), line.indexOf("<<")];
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      found[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    if (heredoc <= 0) throw new Error(`Invalid format '${line}'`);
    const delimiter = line.slice(heredoc + 2);
    const value: string[] = [];
    for (index += 1; lines[index] !== delimiter; index += 1) {
      if (index >= lines.length) throw new Error(`Matching delimiter not found '${delimiter}'`);
      value.push(lines[index] ?? "");
    }
    found[line.slice(0, heredoc)] = value.join("\n");
  }
  return found;
};

export type Command = { name: string; properties: Record<string, string>; data: string };

const known = [
  "add-mask",
  "add-matcher",
  "debug",
  "echo",
  "endgroup",
  "error",
  "group",
  "notice",
  "remove-matcher",
];
const more = ["add-path", "save-state", "set-env", "set-output", "stop-commands", "warning"];

const unescape = (text: string): string =>
  text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%5D", "]")
    .replaceAll("%3B", ";")
    .replaceAll("%25", "%");

/** The current form stands at the start of a line, the older one anywhere in it. */
const commandOf = (line: string, names: readonly string[]): Command | undefined => {
  const current = /^::(.*?)::(.*)$/s.exec(line.trimStart());
  const older = /##\[(.*?)\](.*)$/s.exec(line);
  for (const [match, separator] of [
    [current, ","],
    [older, ";"],
  ] as const) {
    const [, head = "", data = ""] = match ?? [];
    const [name = "", properties = ""] = head.trim().split(/ (.*)/s);
    if (!names.some((each) => each.toLowerCase() === name.toLowerCase())) continue;
    const pairs = properties.split(separator).map((pair) => pair.trim().split(/=(.*)/s));
    return {
      name,
      data: unescape(data),
      properties: Object.fromEntries(
        pairs.filter(([key]) => key !== "").map(([key = "", value = ""]) => [key, unescape(value)]),
      ),
    };
  }
  return undefined;
};

export type StepLog = { commands: Command[]; visible: string };

/** What the runner obeys, and what a person then sees. Both streams are read alike, line by line. */
export const readLog = (text: string): StepLog => {
  const commands: Command[] = [];
  const visible: string[] = [];
  const masks: string[] = [];
  let stopToken: string | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const command = commandOf(line, [...known, ...more, ...(stopToken === undefined ? [] : [stopToken])]);
    if (stopToken !== undefined) {
      if (command?.name === stopToken) stopToken = undefined;
      else visible.push(line);
      continue;
    }
    if (command === undefined) visible.push(line);
    else {
      commands.push(command);
      if (command.name === "stop-commands") stopToken = command.data;
      if (command.name === "add-mask") masks.push(command.data);
    }
  }
  const shown = masks.reduce((all, mask) => all.replaceAll(mask, "***"), visible.join("\n"));
  return { commands, visible: shown };
};

export type StepRun = StepLog & {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Both streams, before the runner has read them. */
  raw: string;
  outputs: Record<string, string>;
  state: Record<string, string>;
  summary: string;
  annotations: Command[];
};

export type Job = {
  workspace: string;
  temporary: string;
  write: (name: string, text: string) => string;
  start: (
    inputs: Record<string, string>,
    environment?: Record<string, string | undefined>,
  ) => { child: ChildProcess; until: (text: RegExp) => Promise<void>; finished: Promise<StepRun> };
  run: (inputs: Record<string, string>, environment?: Record<string, string | undefined>) => Promise<StepRun>;
  /** The post step, with what the main step saved. */
  post: (state: Record<string, string>) => Promise<StepRun>;
  remove: () => void;
};

export type StartStep = (file: string, options: SpawnOptions) => ChildProcess;

const startHere: StartStep = (file, options) => spawn(node24, [join(projectRoot, file)], options);

export const createJob = (start: StartStep = startHere): Job => {
  const folder = mkdtempSync(join(tmpdir(), "job-"));
  const [workspace, temporary, commands] = ["workspace", "temp", "commands"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  for (const path of [workspace, temporary, commands]) mkdirSync(path);
  const children: ChildProcess[] = [];

  const spawnStep = (file: string, environment: Record<string, string | undefined>) => {
    const step = join(commands, `step-${children.length}`);
    const files = {
      GITHUB_OUTPUT: `${step}-output`,
      GITHUB_STATE: `${step}-state`,
      GITHUB_STEP_SUMMARY: `${step}-summary`,
      GITHUB_ENV: `${step}-env`,
      GITHUB_PATH: `${step}-path`,
    };
    for (const path of Object.values(files)) writeFileSync(path, "");
    const variables = {
      PATH: process.env["PATH"],
      HOME: folder,
      RUNNER_TEMP: temporary,
      RUNNER_TOOL_CACHE: join(folder, "tools"),
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_NAME: "push",
      GITHUB_ACTOR: "octocat",
      GITHUB_REPOSITORY: "octo/repo",
      ...files,
      ...environment,
    };
    const child = start(file, {
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
      env: Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined)),
    });
    children.push(child);
    let raw = "";
    const waiting = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (data: string) => {
        raw += data;
        for (const check of waiting) check();
      });
    const finished = new Promise<StepRun>((resolve) => {
      child.once("close", (exitCode, signal) => {
        const log = readLog(raw);
        resolve({
          exitCode,
          signal,
          raw,
          ...log,
          annotations: log.commands.filter(({ name }) => ["notice", "warning", "error"].includes(name)),
          outputs: parseCommandFile(readFileSync(files.GITHUB_OUTPUT, "utf8")),
          state: parseCommandFile(readFileSync(files.GITHUB_STATE, "utf8")),
          summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8"),
        });
      });
    });
    const until = (text: RegExp): Promise<void> =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (text.test(raw)) resolve();
        };
        waiting.add(check);
        void finished.then(() => reject(new Error(`The step ended without saying ${String(text)}:\n${raw}`)));
        check();
      });
    return { child, until, finished };
  };

  const startMain: Job["start"] = (inputs, environment = {}) =>
    spawnStep(action.runs.main, {
      ...inputVariables({ "runtime-path": runtimePath, ...inputs }),
      ...environment,
    });

  return {
    workspace,
    temporary,
    write: (name, text) => {
      const path = join(workspace, name);
      writeFileSync(path, text);
      return path;
    },
    start: startMain,
    run: (inputs, environment) => startMain(inputs, environment).finished,
    post: (state) =>
      spawnStep(
        action.runs.post,
        Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value])),
      ).finished,
    remove: () => {
      for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};
