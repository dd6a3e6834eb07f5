/** The allow list of a run, and what is wrong with it. */
import type { HarnessSettings } from "../harness/settings.ts";
import { describeDiagnostic, isMistake } from "../policy/diagnose.ts";
import { policyOf, type Diagnostic, type Policy } from "../policy/rules.ts";
import type { Rehearsal } from "../rehearsal/script.ts";
import type { OptionReader } from "./option-values.ts";
import type { Problems } from "./problems.ts";

export const policyFor = (
  permissions: HarnessSettings["permissions"],
  mcpServers: readonly string[],
  problems: Problems,
): { policy: Policy; remarks: Diagnostic[] } => {
  const { policy, diagnostics } = policyOf(permissions);
  for (const diagnostic of diagnostics.filter((found) => isMistake(found, mcpServers)))
    problems.add(`allowed-tools: ${describeDiagnostic(diagnostic)}`);
  return { policy, remarks: diagnostics.filter(({ code }) => code === "runs-any-program") };
};

export const permissionsOf = (
  options: OptionReader,
  fromScript: Rehearsal["permissions"],
): NonNullable<HarnessSettings["permissions"]> => {
  if (options.flag("allow-all-tools")) return { allowAllTools: true };
  if (fromScript && !options.isGiven("allowed-tools")) return fromScript;
  return { allowedTools: options.lines("allowed-tools") };
};
