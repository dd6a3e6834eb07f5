/** The allow list of a run, and what is wrong with it. */
import type { HarnessSettings } from "../harness/settings.ts";
import { policyOf, type Diagnostic, type Policy } from "../policy/rules.ts";
import type { Rehearsal } from "../rehearsal/script.ts";
import type { OptionReader } from "./option-values.ts";
import type { Problems } from "./problems.ts";

/** Entries that do not do what they say are mistakes; entries that grant more than they seem to are remarks. */
export const policyFor = (
  permissions: HarnessSettings["permissions"],
  mcpServers: readonly string[],
  problems: Problems,
): { policy: Policy; remarks: Diagnostic[] } => {
  const { policy, diagnostics } = policyOf(permissions);
  const remarks = diagnostics.filter(({ code }) => code === "runs-any-program");
  for (const { entry, code, message, suggestion } of diagnostics) {
    const namesServer = mcpServers.includes(entry.replace(/\(.*\)$/s, ""));
    if (code === "runs-any-program" || (namesServer && code !== "matches-nothing")) continue;
    problems.add(`allowed-tools: ${message}${suggestion === undefined ? "" : ` Perhaps \`${suggestion}\`?`}`);
  }
  return { policy, remarks };
};

export const permissionsOf = (
  options: OptionReader,
  fromScript: Rehearsal["permissions"],
): NonNullable<HarnessSettings["permissions"]> => {
  if (options.flag("allow-all-tools")) return { allowAllTools: true };
  if (fromScript && !options.isGiven("allowed-tools")) return fromScript;
  return { allowedTools: options.lines("allowed-tools") };
};
