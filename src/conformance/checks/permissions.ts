/** Section 8.1.2: what a driver approves, rejects and leaves to the runtime. */
import type { Check, Finding } from "../check.ts";
import { finding } from "../check.ts";
import {
  injectAll,
  provokeAll,
  requestNames,
  verdictOf,
  verdictOn,
  type RequestName,
} from "../provocations.ts";
import type { Observation, Permissions, Situation } from "../situation.ts";
import { describeRun, succeeded } from "../situation.ts";

type Observe = (situation: Situation) => Promise<Observation>;

export const under = (observe: Observe, permissions: Permissions): Promise<Observation> =>
  observe({ permissions, turns: provokeAll, inject: injectAll });

const scoped = (observe: Observe, ...allowedTools: string[]): Promise<Observation> =>
  under(observe, { allowedTools });

const unknownKinds = requestNames.filter((name) => name.startsWith("kind "));
const shellRequests = requestNames.filter((name) => name.startsWith("shell "));
const mcpRequests = requestNames.filter((name) => name.startsWith("mcp "));

/** Among these requests, exactly the expected ones are approved and the others rejected. */
const exactly = (
  seen: Observation,
  rule: string,
  among: readonly RequestName[],
  expected: readonly RequestName[],
): Finding => {
  const verdicts = among.map((name) => [name, verdictOn(seen.traffic.cases, name)] as const);
  const wrong = verdicts.filter(
    ([name, verdict]) => verdict !== (expected.includes(name) ? "approved" : "rejected"),
  );
  const told = (names: readonly RequestName[]): string => (names.length === 0 ? "nothing" : names.join(", "));
  return finding(
    `${rule}: approves ${told(expected)}${among.length > expected.length ? `; rejects ${told(among.filter((name) => !expected.includes(name)))}` : ""}`,
    wrong.length === 0,
    wrong.length === 0
      ? "exactly that"
      : `${wrong.map(([name, verdict]) => `${name}: ${verdict}`).join(", ")}; ${describeRun(seen)}`,
  );
};

const deferred = async (
  observe: Observe,
  what: string,
  permissions: Permissions | undefined,
): Promise<Finding> => {
  const seen = await observe({ turns: provokeAll, ...(permissions && { permissions }) });
  const own = seen.traffic.cases.filter((each) => ["approved", "rejected"].includes(verdictOf(each)));
  const effects = ["escaped", "made.txt"].filter((name) => seen.files.includes(name));
  return finding(
    `${what}: the driver decides nothing itself, the runtime denies, the run completes`,
    succeeded(seen) && own.length === 0 && effects.length === 0,
    [
      describeRun(seen),
      own.length === 0
        ? "no decision of its own"
        : `${own.length} decisions of its own (${verdictOf(own[0]!)})`,
      ...(effects.length > 0 ? [`made ${effects.join(", ")}`] : []),
    ].join(", "),
  );
};

const feedback = async (observe: Observe): Promise<Finding[]> => {
  const { traffic, stdout, stderr } = await scoped(observe, "read");
  const rejected = traffic.cases.filter((each) => verdictOf(each) === "rejected");
  const silent = rejected.filter(
    ({ answer }) => !/permission|polic|not (?:allowed|permitted)/i.test(answer?.feedback ?? ""),
  );
  const log = `${stdout}\n${stderr}`;
  const unlogged = ["git --exec-path", "made.txt"].filter((part) => !log.includes(part));
  return [
    finding(
      "each rejection tells the agent that workflow tool permissions do not allow the invocation",
      rejected.length > 0 && silent.length === 0,
      rejected.length === 0
        ? "nothing was rejected"
        : silent.length === 0
          ? `all ${rejected.length} do, for example: ${rejected[0]?.answer?.feedback}`
          : `${silent.length} of ${rejected.length} do not, for example: ${silent[0]?.answer?.feedback ?? "(no feedback)"}`,
    ),
    finding(
      "each rejection has a log entry that names the request",
      unlogged.length === 0,
      unlogged.length === 0 ? "it has" : `no entry names ${unlogged.join(", ")}`,
    ),
  ];
};

const check = (
  id: string,
  requirement: string,
  examine: (observe: Observe) => Promise<Finding[]>,
): Check => ({
  id,
  level: 2,
  requirement,
  examine: ({ observe }) => examine(observe),
});

const onlyBy = (
  id: string,
  requirement: string,
  name: RequestName,
  rule: string,
  otherRules: readonly string[],
): Check =>
  check(id, requirement, async (observe) => {
    const [granted, other] = await Promise.all([scoped(observe, rule), scoped(observe, ...otherRules)]);
    return [
      exactly(granted, `[${rule}]`, [name], [name]),
      exactly(other, `[${otherRules.join(", ")}]`, [name], []),
    ];
  });

const read: RequestName = "read README.md";

export const permissionChecks: readonly Check[] = [
  check("T-CSD-101", "Absent `permissionConfig` defers to SDK default policy.", (observe) =>
    Promise.all([
      deferred(observe, "no configuration", undefined),
      deferred(observe, "an empty list", { allowedTools: [] }),
      deferred(observe, "a list that is empty after normalization", { allowedTools: ["", "  "] }),
    ]),
  ),
  check("T-CSD-102", "`allowAllTools=true` approves all requests.", async (observe) => [
    exactly(await under(observe, { allowAllTools: true }), "allowAllTools", requestNames, requestNames),
  ]),
  check(
    "T-CSD-103",
    "Scoped allowlist denies `read` by default when `allowedTools` does not include `read`.",
    async (observe) => [exactly(await scoped(observe, "write"), "[write]", [read], [])],
  ),
  check(
    "T-CSD-104",
    "Scoped allowlist approves `read` when `allowedTools` includes `read`.",
    async (observe) => [exactly(await scoped(observe, "read"), "[read]", [read], [read])],
  ),
  onlyBy(
    "T-CSD-105",
    "Scoped allowlist approves `write` only when `allowedTools` includes `write`.",
    "write made.txt",
    "write",
    ["read"],
  ),
  onlyBy(
    "T-CSD-106",
    "Scoped allowlist approves `url` only when `allowedTools` includes `web_fetch`.",
    "url https://conformance.invalid/",
    "web_fetch",
    ["read"],
  ),
  onlyBy(
    "T-CSD-107",
    "Scoped allowlist approves `custom-tool` only when `allowedTools` includes the requested tool name.",
    "custom-tool lookup",
    "lookup",
    ["read"],
  ),
  check(
    "T-CSD-108",
    "Scoped allowlist approves `mcp` by server entry (`<serverName>`) and by server-tool entry (`<serverName>(<toolName>)`).",
    async (observe) => {
      const [byServer, byTool] = await Promise.all([
        scoped(observe, "github"),
        scoped(observe, "github(get_issue)"),
      ]);
      return [
        exactly(byServer, "[github]", mcpRequests, ["mcp github get_issue", "mcp github delete_repo"]),
        exactly(byTool, "[github(get_issue)]", mcpRequests, ["mcp github get_issue"]),
      ];
    },
  ),
  check(
    "T-CSD-109",
    "Scoped allowlist enforces shell matching for `shell`, `shell(<rule>)`, and exact full-command entries.",
    (observe) => {
      const ofGit: RequestName[] = ["shell `git --version`", "shell `git --exec-path`"];
      const rules: [string, readonly RequestName[]][] = [
        ["shell", shellRequests],
        ["shell(git:*)", ofGit],
        ["shell(git)", ofGit],
        ["shell(git --version)", ["shell `git --version`"]],
      ];
      return Promise.all(
        rules.map(async ([rule, expected]) =>
          exactly(await scoped(observe, rule), `[${rule}]`, shellRequests, expected),
        ),
      );
    },
  ),
  check("T-CSD-110", "Unknown request kinds are rejected.", async (observe) => {
    const rules = ["read", "write", "shell", "web_fetch", "memory", "hook", "from-the-future"];
    return [exactly(await scoped(observe, ...rules), `[${rules.join(", ")}]`, unknownKinds, [])];
  }),
  check("T-CSD-111", "Rejected requests include policy feedback and denial logs.", feedback),
];
