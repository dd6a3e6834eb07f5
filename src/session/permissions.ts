import type { Log } from "../log.ts";
import { decide, decideTool, type Decision, type ReasonCode } from "../policy/decide.ts";
import type { Policy } from "../policy/rules.ts";
import { summarize } from "../policy/summarize.ts";
import type { AgentEvent, PermissionAnswer, SessionOptions, ToolUse } from "./engine.ts";

export type Denial = {
  kind: string;
  summary: string;
  reason: ReasonCode | "sdk-default";
  message: string;
  rule?: string;
  part?: string;
};

export type Gatekeeper = Pick<SessionOptions, "onPermissionRequest" | "onToolUse"> & {
  /** Without a policy of ours the engine denies by itself and tells only the tool's result. */
  observe: (event: AgentEvent) => void;
  readonly denials: readonly Denial[];
  readonly approvals: number;
};

const feedbackFor = (decision: Decision): string =>
  `This invocation is not allowed by workflow tool permissions: ${decision.message}`;

const kindOf = (request: unknown): string => {
  const kind = (request as { kind?: unknown } | null | undefined)?.kind;
  return typeof kind === "string" ? kind : "unknown";
};

const commandOf = (toolArguments: unknown): unknown =>
  (toolArguments as { command?: unknown } | null | undefined)?.command;

/** Servers that the runtime brings itself: their read-only tools never ask either. */
const builtInServers = ["github-mcp-server"];

/** Answers permission requests from the policy, and keeps the record of what was refused. */
export const createGatekeeper = (options: {
  policy: Policy;
  workspace: string;
  mcpServers: string[];
  log: Log;
  redact: (text: string) => string;
  onDecision: (request: unknown, decision: Decision) => void;
  onDenial: (denial: Denial) => void;
}): Gatekeeper => {
  const { policy, workspace, mcpServers, log, redact, onDecision, onDenial } = options;
  const denials: Denial[] = [];
  const started = new Map<string, Record<string, unknown>>();
  let approvals = 0;

  const record = (
    request: unknown,
    decision: Omit<Decision, "decision" | "reason"> & Pick<Denial, "reason">,
  ): void => {
    const { reason, message, rule, part } = decision;
    const denial: Denial = {
      kind: kindOf(request),
      summary: redact(summarize(request)),
      reason,
      message: redact(message),
      ...(rule !== undefined && { rule }),
      ...(part !== undefined && { part: redact(part) }),
    };
    denials.push(denial);
    log.always("permission denied", {
      kind: denial.kind,
      request: denial.summary,
      reason,
      part: denial.part,
      rule,
    });
    onDenial(denial);
  };

  const answer = (request: unknown, decision: Decision): PermissionAnswer => {
    onDecision(request, decision);
    if (decision.decision === "approve") {
      approvals++;
      log.debug("permission approved", {
        kind: kindOf(request),
        request: summarize(request),
        rule: decision.rule,
      });
      return { approve: true };
    }
    record(request, decision);
    return { approve: false, feedback: redact(feedbackFor(decision)) };
  };

  const observe = ({ type, data }: AgentEvent): void => {
    if (policy.mode !== "default") return;
    const call = String(data["toolCallId"]);
    if (type === "tool.execution_start") started.set(call, data);
    if (type !== "tool.execution_complete") return;
    const { toolName, arguments: toolArguments } = started.get(call) ?? {};
    started.delete(call);
    const { code, message } = (data["error"] ?? {}) as Record<string, unknown>;
    if (code !== "denied") return;
    record(
      { kind: "tool", toolName, arguments: toolArguments },
      { reason: "sdk-default", message: String(message) },
    );
  };

  const onPermissionRequest = (request: unknown): PermissionAnswer =>
    answer(request, decide(policy, request, workspace));

  /** Some tools never ask, and of a command the request does not say for which shell it is: this barrier sees both. */
  const onToolUse = ({ toolName, toolArguments }: ToolUse): PermissionAnswer => {
    const request =
      toolName === "powershell"
        ? { kind: "shell", shellType: toolName, fullCommandText: commandOf(toolArguments) }
        : { kind: "mcp", toolName };
    const decision =
      request.kind === "shell"
        ? decide(policy, request, workspace)
        : decideTool(policy, { toolName, mcpServers: [...builtInServers, ...mcpServers] });
    return decision.decision === "deny" ? answer(request, decision) : { approve: true };
  };

  return {
    ...(policy.mode !== "default" && { onPermissionRequest }),
    ...(policy.mode === "scoped" && { onToolUse }),
    observe,
    denials,
    get approvals() {
      return approvals;
    },
  };
};
