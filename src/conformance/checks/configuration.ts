/** Section 8.1.1: what a driver takes from its environment, and what it must not take. */
import { createConnectionToken } from "../../harness/token.ts";
import type { Check, Finding } from "../check.ts";
import { finding } from "../check.ts";
import type { Observation, Situation } from "../situation.ts";
import { answered, describeEnd, describeRun, failed, succeeded } from "../situation.ts";

type Observe = (situation: Situation) => Promise<Observation>;

const platformTokens = ["GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN", "GH_TOKEN"] as const;

/** Without this control, a driver that always fails would pass. */
const worksWith = async (observe: Observe, name: string): Promise<Finding> => {
  const seen = await observe({});
  const reached = seen.traffic.methods.length > 0;
  return finding(
    `${name} set: the driver talks to the runtime`,
    reached,
    reached ? "it does" : describeRun(seen),
  );
};

const refusesWithout = async (
  observe: Observe,
  name: string,
  value: string | undefined,
): Promise<Finding> => {
  const seen = await observe({ environment: { [name]: value } });
  const asked = seen.traffic.methods.includes("session.create");
  return finding(
    `${name} ${value === undefined ? "unset" : "empty"}: a non-zero exit, and no session`,
    failed(seen) && !asked,
    `${describeEnd(seen.end)}${asked ? ", after it had asked the runtime for a session" : ""}`,
  );
};

const required = (id: string, name: string, requirement: string): Check => ({
  id,
  level: 1,
  requirement,
  examine: ({ observe }) =>
    Promise.all([
      worksWith(observe, name),
      refusesWithout(observe, name, undefined),
      refusesWithout(observe, name, ""),
    ]),
});

/** What differs from run to run: numbers, ids, addresses. */
const shapeOf = (text: string): string =>
  [...new Set(text.split("\n").map((line) => line.replace(/[0-9a-f-]*\d[0-9a-f-]*/gi, "#").trim()))]
    .filter((line) => line !== "")
    .sort()
    .join("\n");

const logLevel: Check = {
  id: "T-CSD-004",
  level: 1,
  requirement: "Invalid log level falls back to `warning`.",
  examine: async ({ observe }) => {
    const at = (level: string | undefined) => observe({ environment: { COPILOT_SDK_LOG_LEVEL: level } });
    const [warning, invalid, unset] = await Promise.all([at("warning"), at("loud"), at(undefined)]);
    const like = (seen: Observation): boolean =>
      shapeOf(seen.stderr) === shapeOf(warning.stderr) && shapeOf(seen.stdout) === shapeOf(warning.stdout);
    const told = (seen: Observation): string =>
      `${describeRun(seen)}, output ${like(seen) ? "as" : "unlike that"} at warning`;
    return [
      finding(
        "COPILOT_SDK_LOG_LEVEL=loud: the run completes, its output is as at warning",
        succeeded(invalid) && like(invalid),
        told(invalid),
      ),
      finding("COPILOT_SDK_LOG_LEVEL unset: likewise", succeeded(unset) && like(unset), told(unset)),
    ];
  },
};

/** Longer than any misread timeout (0, NaN, an object: all fire at once), shorter than anybody's patience. */
const slowAnswer = [{ ...answered[0], delayMs: 2_000 }];

const survivesSlowAnswer = async (observe: Observe, value: string | undefined): Promise<Finding> => {
  const seen = await observe({ turns: slowAnswer, environment: { COPILOT_SDK_SEND_TIMEOUT_MS: value } });
  return finding(
    `COPILOT_SDK_SEND_TIMEOUT_MS ${value === undefined ? "unset" : `= "${value}"`}: an answer that takes 2 s is waited for`,
    succeeded(seen),
    describeRun(seen),
  );
};

const timeouts: Check[] = [
  {
    id: "T-CSD-005",
    level: 1,
    requirement: "Unset `COPILOT_SDK_SEND_TIMEOUT_MS` falls back to default `600000`.",
    examine: async ({ observe }) => [await survivesSlowAnswer(observe, undefined)],
  },
  {
    id: "T-CSD-006",
    level: 1,
    requirement: "Non-numeric or non-positive `COPILOT_SDK_SEND_TIMEOUT_MS` falls back to default `600000`.",
    examine: ({ observe }) =>
      Promise.all(["soon", "0", "-5", ""].map((value) => survivesSlowAnswer(observe, value))),
  },
  {
    id: "4.3",
    level: 1,
    requirement: "`COPILOT_SDK_SEND_TIMEOUT_MS` is milliseconds, and the maximum wait for completion.",
    examine: async ({ observe }) => {
      const seen = await observe({
        turns: [{ hang: true }],
        environment: { COPILOT_SDK_SEND_TIMEOUT_MS: "1500" },
      });
      return [
        finding(
          "1500, and a model that never answers: a non-zero exit soon after the prompt was sent",
          failed(seen) && seen.traffic.prompts.length > 0,
          `${describeEnd(seen.end)}, ${seen.traffic.prompts.length} prompts sent`,
        ),
      ];
    },
  },
];

const token: Check = {
  id: "T-CSD-007",
  level: 1,
  requirement:
    "In SDK mode, harness and driver receive the same non-empty `COPILOT_CONNECTION_TOKEN`, and token values are not logged.",
  examine: async ({ observe }) => {
    const right = await observe({ environment: { COPILOT_SDK_LOG_LEVEL: "all" } });
    const canaries = { COPILOT_CONNECTION_TOKEN: createConnectionToken(() => undefined) };
    const wrong = await observe({ canaries });
    const leaks = [...new Set([...right.leaks, ...wrong.leaks])];
    return [
      finding(
        "with the token that the sidecar was given: the run completes",
        succeeded(right),
        describeRun(right),
      ),
      finding("with another token: a non-zero exit", failed(wrong), describeEnd(wrong.end)),
      finding(
        "the token is in no output and no file, at log level `all` and after a refusal",
        leaks.length === 0,
        leaks.length === 0 ? "found nowhere" : `found: ${leaks.join("; ")}`,
      ),
    ];
  },
};

const isolation: Check = {
  id: "T-CSD-008",
  level: 1,
  requirement:
    "Driver does not read, require, or error on absence of `GITHUB_TOKEN`, `COPILOT_GITHUB_TOKEN`, or `GH_TOKEN`.",
  examine: async ({ observe }) => {
    const canaries = Object.fromEntries(
      platformTokens.map((name) => [name, createConnectionToken(() => undefined)]),
    );
    const [absent, planted, substitute] = await Promise.all([
      observe({}),
      observe({ canaries, environment: { COPILOT_SDK_LOG_LEVEL: "all" } }),
      observe({ tokenAs: platformTokens, environment: { COPILOT_CONNECTION_TOKEN: undefined } }),
    ]);
    const leaks = planted.leaks.filter((leak) => !leak.startsWith("COPILOT_CONNECTION_TOKEN"));
    return [
      finding("without them: the run completes", succeeded(absent), describeRun(absent)),
      finding(
        "with canaries in their place: the run completes, and no canary is printed, written or sent",
        succeeded(planted) && leaks.length === 0,
        `${describeRun(planted)}, ${leaks.length === 0 ? "found nowhere" : `found: ${leaks.join("; ")}`}`,
      ),
      finding(
        "the valid token in their place and none in COPILOT_CONNECTION_TOKEN: a non-zero exit, no session",
        failed(substitute) && substitute.traffic.sessionId === undefined,
        `${describeEnd(substitute.end)}${substitute.traffic.sessionId === undefined ? "" : ", after a session"}`,
      ),
    ];
  },
};

export const configurationChecks: readonly Check[] = [
  required("T-CSD-001", "GH_AW_PROMPT", "Missing `GH_AW_PROMPT` fails with non-zero exit."),
  required("T-CSD-002", "COPILOT_SDK_URI", "Missing `COPILOT_SDK_URI` fails with non-zero exit."),
  required(
    "T-CSD-003",
    "COPILOT_CONNECTION_TOKEN",
    "Missing `COPILOT_CONNECTION_TOKEN` fails with non-zero exit.",
  ),
  required("4.1", "COPILOT_MODEL", "`COPILOT_MODEL` is required; implementations fail fast when unset."),
  logLevel,
  ...timeouts,
  token,
  isolation,
];
