/** The whole kit on one driver: every check, its findings, and the verdict. */
import { configurationChecks } from "./checks/configuration.ts";
import { lifecycleChecks } from "./checks/lifecycle.ts";
import { loggingChecks } from "./checks/logging.ts";
import { permissionChecks } from "./checks/permissions.ts";
import type { Check, Finding, Level } from "./check.ts";
import { openLaboratory, type LaboratoryOptions } from "./laboratory.ts";

export const allChecks: readonly Check[] = [
  ...configurationChecks,
  ...permissionChecks,
  ...loggingChecks,
  ...lifecycleChecks,
];

export type CheckResult = Pick<Check, "id" | "level" | "requirement"> & {
  verdict: "pass" | "fail";
  findings: Finding[];
};

export type KitResult = { runtimeVersion: string | undefined; checks: CheckResult[] };

/** Levels build on each other: level 2 includes level 1. */
export const chooseChecks = (selection: { level: Level; only: readonly string[] }): Check[] =>
  allChecks
    .filter(({ id, level }) =>
      selection.only.length > 0 ? selection.only.includes(id) : level <= selection.level,
    )
    .sort((one, other) => one.level - other.level);

const examine = async (check: Check, laboratory: Parameters<Check["examine"]>[0]): Promise<CheckResult> => {
  const findings = await check.examine(laboratory);
  const { id, level, requirement } = check;
  return { id, level, requirement, verdict: findings.every(({ ok }) => ok) ? "pass" : "fail", findings };
};

export const runChecks = async (
  checks: readonly Check[],
  options: LaboratoryOptions,
  onProgress: (done: number) => void,
): Promise<KitResult> => {
  const laboratory = await openLaboratory(options);
  let done = 0;
  const examineNext = async (check: Check): Promise<CheckResult> => {
    const result = await examine(check, laboratory);
    onProgress((done += 1));
    return result;
  };
  try {
    return {
      checks: await Promise.all(checks.map(examineNext)),
      runtimeVersion: laboratory.runtimeVersion(),
    };
  } finally {
    await laboratory.close();
  }
};
