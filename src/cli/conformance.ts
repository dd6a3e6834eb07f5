/** The specification's tests against any driver executable. */
import { availableParallelism, constants } from "node:os";
import type { Level } from "../conformance/check.ts";
import { asJson, asJunit, asText } from "../conformance/report.ts";
import { allChecks, chooseChecks, runChecks } from "../conformance/run-checks.ts";
import { Failure } from "../errors.ts";
import { watchSignals } from "../harness/cancellation.ts";
import { findRuntime } from "../harness/runtime.ts";
import { createLog } from "../log.ts";
import { readSurroundings } from "../settings/command-line.ts";
import type { Environment } from "../settings/problems.ts";
import { parseArguments } from "./arguments.ts";
import { nearest } from "../nearest.ts";
import { ownName } from "./own-name.ts";
import { openTerminal } from "./terminal.ts";
import { visible } from "./visible.ts";

export const help = `Usage: copilot-driver conformance [options] -- <command …>

Runs the tests of the Copilot SDK Driver Specification 1.0.2 against a driver in any language: the real Copilot
runtime, a scripted model, the environment contract of the specification and nothing else. docs/conformance.md says
what each check asks for.

The command is started many times, from this folder, each time with GH_AW_PROMPT (a file), COPILOT_SDK_URI (host:port),
COPILOT_CONNECTION_TOKEN, COPILOT_MODEL and GITHUB_WORKSPACE, less or more as the check has it, and with a home and a
temporary folder of its own, which are searched for secrets. To pass, a driver must also work where it may: one that
always fails does not conform by refusing what it should.

Options:
  --level <1|2|3>           Check up to this level (default: 3)
  --only <id>               Check only this, for example T-CSD-109; may be repeated
  --json | --junit          The report as JSON or as JUnit XML
  --permissions-env <name>  The variable that hands {"allowAllTools", "allowedTools"} to the driver as JSON
                            (default: COPILOT_SDK_PERMISSIONS)
  --deadline <seconds>      A run of the driver that takes longer counts as hung (default: 30)
  --runtime <path>          The Copilot runtime (default: the one that this release was built for)

Exit codes: 0 all passed, 1 something failed, 2 an option is wrong.

Examples:
  copilot-driver conformance -- node dist/driver.js
  copilot-driver conformance --level 2 --junit -- python3 my_driver.py
`;

const permissionsDefault = "COPILOT_SDK_PERMISSIONS";
const deadlineDefault = "30";

const refuse = (message: string): never => {
  throw new Failure("configuration", message);
};

const levelOf = (text: string): Level =>
  ([1, 2, 3] as const).find((level) => String(level) === text) ??
  refuse(`--level must be 1, 2 or 3, not '${text}'.`);

const deadlineOf = (text: string): number =>
  /^[1-9]\d{0,4}$/.test(text)
    ? Number(text) * 1000
    : refuse(`--deadline must be whole seconds, not '${text}'.`);

const checkIds = (only: readonly string[]): void => {
  const known = allChecks.map(({ id }) => id);
  for (const id of only.filter((each) => !known.includes(each))) {
    const near = nearest(id, known);
    refuse(`There is no check '${id}'.${near === undefined ? "" : ` Did you mean ${near}?`}`);
  }
};

const flagUnless = (usual: string | undefined, flag: string, value: string | undefined): string[] =>
  value === undefined || value === usual ? [] : [flag, value];

const log = createLog({
  prefix: "copilot-driver conformance",
  level: "warning",
  write: (line) => void process.stderr.write(line),
});

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      level: { type: "string", default: "3" },
      only: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
      junit: { type: "boolean", default: false },
      "permissions-env": { type: "string", default: permissionsDefault },
      deadline: { type: "string", default: deadlineDefault },
      runtime: { type: "string" },
    },
  });
  const [program, ...programArguments] = positionals;
  if (program === undefined)
    return refuse("Name the driver to test after `--`, for example: -- node driver.js");
  if (values.json && values.junit) refuse("Choose --json or --junit, not both.");
  if (!/^[A-Za-z_]\w*$/.test(values["permissions-env"]))
    refuse("--permissions-env must be the name of a variable.");
  checkIds(values.only);
  const checks = chooseChecks({ level: levelOf(values.level), only: values.only });
  const deadlineMs = deadlineOf(values.deadline);

  // Ending the process ends the runtime and the driver under test with it.
  const { signal } = watchSignals();
  signal.addEventListener("abort", () =>
    process.exit(128 + constants.signals[signal.reason as NodeJS.Signals]),
  );
  const surroundings = readSurroundings(environment);
  const { toolCache, temporaryDirectory } = surroundings;
  const parent = { parentEnvironment: environment };
  const runtime = await findRuntime({
    ...parent,
    toolCache,
    runtimePath: values.runtime,
    log,
    secrets: [],
    signal,
  });
  const command = [program, ...programArguments] as const;
  const laboratory = {
    ...parent,
    command,
    runtime,
    deadlineMs,
    temporaryDirectory,
    workingDirectory: process.cwd(),
    permissionsVariable: values["permissions-env"],
    concurrency: Math.min(availableParallelism() * 2, 8),
  };
  const terminal = openTerminal(process.stderr, surroundings);
  const show = (done: number): void => terminal.status(() => `${done} of ${checks.length} checks done`);
  show(0);
  const result = await runChecks(checks, laboratory, show).finally(terminal.close);
  const flags = [
    ...flagUnless(permissionsDefault, "--permissions-env", values["permissions-env"]),
    ...flagUnless(deadlineDefault, "--deadline", values.deadline),
    ...flagUnless(undefined, "--runtime", values.runtime),
  ];
  const report = { ...result, command, flags, self: ownName() };
  process.stdout.write(values.json ? asJson(report) : visible((values.junit ? asJunit : asText)(report)));
  return result.checks.every(({ verdict }) => verdict === "pass") ? 0 : 1;
};
