/** The kit's result for a person, for a program, and for a CI system. */
import type { CheckResult, KitResult } from "./run-checks.ts";

export type Report = KitResult & {
  command: readonly string[];
  /** The options that a repetition needs, and how this program is called. */
  flags: readonly string[];
  self: string;
};

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const reproduce = (id: string, { self, command, flags }: Report): string =>
  [self, ...["conformance", "--only", id, ...flags, "--", ...command].map(quote)].join(" ");

const tally = (checks: readonly CheckResult[]): string =>
  `${checks.filter(({ verdict }) => verdict === "pass").length} of ${checks.length} passed`;

const textOfCheck = ({ id, verdict, requirement, findings }: CheckResult, report: Report): string[] => [
  `  ${verdict === "pass" ? "pass" : "FAIL"}  ${id.padEnd(10)}${requirement}`,
  ...(verdict === "pass"
    ? []
    : [
        ...findings
          .filter(({ ok }) => !ok)
          .flatMap(({ required, observed }) => [
            `          required: ${required}`,
            `          observed: ${observed}`,
          ]),
        ...findings.filter(({ ok }) => ok).map(({ required }) => `          holds:    ${required}`),
        `          alone:    ${reproduce(id, report)}`,
      ]),
];

export const asText = (report: Report): string => {
  const { checks, command, runtimeVersion } = report;
  const levels = [...new Set(checks.map(({ level }) => level))];
  const sections = levels.map((level) => {
    const ofLevel = checks.filter((check) => check.level === level);
    return [
      `Level ${level}: ${tally(ofLevel)}`,
      ...ofLevel.flatMap((check) => textOfCheck(check, report)),
      "",
    ];
  });
  const lines = [
    `${command.map(quote).join(" ")}, with the Copilot runtime ${runtimeVersion ?? "(unknown version)"}`,
    "",
    ...sections.flat(),
    tally(checks),
  ];
  return `${lines.join("\n")}\n`;
};

export const asJson = (report: Report): string => {
  const { checks, command, runtimeVersion } = report;
  const passed = checks.filter(({ verdict }) => verdict === "pass").length;
  const json = {
    driver: command,
    runtimeVersion: runtimeVersion ?? null,
    passed,
    failed: checks.length - passed,
    checks: checks.map((check) => ({ ...check, reproduce: reproduce(check.id, report) })),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
};

/** XML knows no way to write these characters. */
const unwritable = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escapeXml = (text: string): string =>
  text
    .replace(unwritable, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const junitCase = ({ id, level, requirement, verdict, findings }: CheckResult, report: Report): string => {
  const open = `    <testcase classname="level-${level}" name="${escapeXml(`${id}: ${requirement}`)}"`;
  if (verdict === "pass") return `${open}/>`;
  const details = findings
    .filter(({ ok }) => !ok)
    .map(({ required, observed }) => `required: ${required}\nobserved: ${observed}`);
  const body = escapeXml([...details, `alone: ${reproduce(id, report)}`].join("\n"));
  return `${open}>\n      <failure message="${escapeXml(requirement)}">${body}</failure>\n    </testcase>`;
};

export const asJunit = (report: Report): string => {
  const { checks } = report;
  const failures = checks.filter(({ verdict }) => verdict === "fail").length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="Copilot SDK Driver Specification" tests="${checks.length}" failures="${failures}">`,
    ...checks.map((check) => junitCase(check, report)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
};
