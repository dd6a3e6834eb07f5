/** Decisions → the runtime's answers, with a log entry for every denial. */

import type { Log } from "../log.ts";
import { decide, decideTool } from "./decide.ts";
import type { Decision } from "./decide.ts";
import { shorten } from "./decision.ts";
import type { Policy } from "./rules.ts";

export type Answer = { kind: "approve-once" } | { kind: "reject"; feedback: string };

export type Denial = { readonly summary: string; readonly decision: Decision };

export type HandlerOptions = {
  readonly policy: Policy;
  readonly workspace: string;
  /** The driver's own log first, secondary ones after it. */
  readonly logs: readonly Log[];
  readonly redact: (text: string) => string;
  readonly onDenied?: (denial: Denial) => void;
};

const telling = ["fullCommandText", "path", "fileName", "url", "serverName", "toolName"];

/** What was asked for, in one short line that holds no secret. */
export const summarize = (request: unknown, redact: (text: string) => string): string => {
  if (typeof request !== "object" || request === null) return "not a request";
  const values = ["kind", ...telling].map((key) =>
    Object.hasOwn(request, key) ? (request as Record<string, unknown>)[key] : undefined,
  );
  const text = values.filter((value) => typeof value === "string").join(" ");
  return shorten(redact(text).replace(/\s+/g, " "));
};

const report = ({ logs, redact, onDenied }: HandlerOptions, denial: Denial): void => {
  const { reason, rule, part } = denial.decision;
  const fields = { request: denial.summary, reason, rule, part: part && shorten(redact(part)) };
  for (const log of logs) log.always("permission denied", fields);
  onDenied?.(denial);
};

const feedbackOf = ({ message }: Decision): string => `Not allowed by workflow tool permissions. ${message}`;

/** Undefined where the runtime's own policy applies, which is to deny. */
export const createPermissionHandler = (
  options: HandlerOptions,
): ((request: unknown) => Answer) | undefined => {
  const { policy, workspace, redact } = options;
  if (policy.mode === "default") return undefined;
  return (request) => {
    const decision = decide(policy, request, workspace);
    if (decision.decision === "approve") return { kind: "approve-once" };
    report(options, { summary: summarize(request, redact), decision });
    return { kind: "reject", feedback: feedbackOf(decision) };
  };
};

/** The second barrier, for tools about which the runtime never asks; undefined lets the tool go on to the first. */
export const createToolBarrier =
  (options: HandlerOptions & { readonly mcpServers: () => readonly string[] }) =>
  ({
    toolName,
  }: {
    readonly toolName: string;
  }): { permissionDecision: "deny"; permissionDecisionReason: string } | undefined => {
    const decision = decideTool(options.policy, { toolName, mcpServers: options.mcpServers() });
    if (decision.decision !== "deny") return undefined;
    report(options, { summary: summarize({ kind: "tool", toolName }, options.redact), decision });
    return { permissionDecision: "deny", permissionDecisionReason: feedbackOf(decision) };
  };
