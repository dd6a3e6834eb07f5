import { describeDiagnostic, isMistake } from "../policy/diagnose.ts";
import { policyOf, type Policy } from "../policy/rules.ts";

/** The policy of entries given on the command line; those that a run would refuse are named on standard error. */
export const policyOfEntries = (allowedTools: readonly string[], allowAllTools = false): Policy => {
  const { policy, diagnostics } = policyOf({ allowAllTools, allowedTools: [...allowedTools] });
  for (const diagnostic of diagnostics.filter((found) => isMistake(found)))
    process.stderr.write(`Note: ${describeDiagnostic(diagnostic)}\n`);
  return policy;
};
