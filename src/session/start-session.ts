import { sealThisProcess } from "../harness/seal.ts";
import type { Log } from "../log.ts";
import { policyOf, type Policy } from "../policy/rules.ts";
import type { Redactor } from "../redact.ts";
import type { DriverSettings } from "../settings/driver.ts";
import type { SessionResult } from "./result.ts";
import { runSession } from "./run-session.ts";
import { connectSdk } from "./sdk.ts";

const policyFrom = ({ permissions }: DriverSettings, log: Log): Policy => {
  const { policy, diagnostics } = policyOf(permissions);
  for (const { entry, message } of diagnostics) log.warning("permission entry", { entry, problem: message });
  const rules = policy.mode === "scoped" ? policy.rules.map(({ text }) => text).join(" ") : undefined;
  log.info("permission policy", { mode: policy.mode, rules });
  return policy;
};

/** Everything that only a right configuration needs: the seal, the policy, the SDK. */
export const startSession = (
  settings: DriverSettings,
  context: { log: Log; redactor: Redactor; interrupted: Promise<never> },
): Promise<SessionResult> => {
  const seal = sealThisProcess();
  if (!seal.sealed) context.log.info("this process is not sealed", { why: seal.why });
  const policy = policyFrom(settings, context.log);
  return runSession(settings, { ...context, policy, engine: connectSdk(settings) });
};
