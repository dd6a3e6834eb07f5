import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { Failure, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Decision } from "../policy/decide.ts";
import type { Policy } from "../policy/rules.ts";
import { summarize } from "../policy/summarize.ts";
import type { Redactor } from "../redact.ts";
import type { DriverSettings } from "../settings/driver.ts";
import { keepAccount, type Account } from "./account.ts";
import { failureFrom } from "./classify.ts";
import { watchForCompletion, type Completion } from "./completion.ts";
import type { AgentEngine, AgentEvent, AgentSession } from "./engine.ts";
import { openEventLog, type EventLog } from "./event-log.ts";
import { createGatekeeper, type Denial, type Gatekeeper } from "./permissions.ts";
import { failureFields, outcomeOf, type SessionResult } from "./result.ts";
import { bounded, failAfter, failWhenLost, onSilence } from "./watchdog.ts";

const startTimeoutMs = 30_000;
const cleanUpMs = 5_000;
/** A cancelled run has only seconds before it is killed. */
const hurriedCleanUpMs = 1_000;

export type SessionContext = {
  policy: Policy;
  engine: AgentEngine;
  log: Log;
  redactor: Redactor;
  /** Rejects when the run is cancelled from outside. */
  interrupted: Promise<never>;
};

const now = (): number => performance.now();

/** The specification's seven steps (3.2); the first, the configuration, is `settings`. */
export const runSession = async (
  settings: DriverSettings,
  context: SessionContext,
): Promise<SessionResult> => {
  const { engine, log, redactor, interrupted } = context;
  const startedAt = now();
  const sessionId = randomUUID();
  const eventLog = openEventLog(settings.eventLogBase, sessionId, redactor.json);
  const flushOnExit = () => eventLog.flush();
  process.on("exit", flushOnExit);

  const account = keepAccount({ mcpServers: Object.keys(settings.mcpServers), now });
  const budget = denialBudget(settings.maxToolDenials);
  const gatekeeper = createGatekeeper({
    policy: context.policy,
    workspace: settings.workingDirectory,
    mcpServers: Object.keys(settings.mcpServers),
    log,
    redact: redactor.text,
    onDecision: (request, decision) => eventLog.append(decisionEvent(request, decision)),
    onDenial: (denial) => {
      reportToSecondaryLog(settings.denialLogFile, denial, log);
      budget.spend();
    },
  });
  const guards = new AbortController();
  const warnings: string[] = [];
  let session: AgentSession | undefined;
  let completion: Completion | undefined;
  let failure: Failure | undefined;

  const onEvent = (event: AgentEvent): void => {
    eventLog.append(event);
    account.observe(event);
    gatekeeper.observe(event);
    completion?.observe(event);
    logTool(event, log);
  };

  try {
    log.always("connecting to the Copilot runtime", { uri: settings.uri });
    await Promise.race([engine.start(), interrupted, tooSlow("accept the connection", guards.signal)]);
    log.always("client started");

    session = await Promise.race([
      engine.createSession({
        ...sessionOptionsOf(settings, sessionId),
        onEvent,
        ...(gatekeeper.onPermissionRequest && { onPermissionRequest: gatekeeper.onPermissionRequest }),
        ...(gatekeeper.onToolUse && { onToolUse: gatekeeper.onToolUse }),
      }),
      interrupted,
      tooSlow("create the session", guards.signal),
    ]);
    log.always("session created", { sessionId, model: settings.model, events: eventLog.path });

    completion = watchForCompletion(session, account);
    log.always("sending the prompt", {
      characters: settings.prompt.length,
      timeoutMs: settings.sendTimeoutMs,
    });
    await Promise.race([
      session.send(settings.prompt).then(() => completion?.done),
      interrupted,
      budget.spent,
      failAfter(settings.sendTimeoutMs, () => timedOut(settings.sendTimeoutMs), guards.signal),
      stalledOrLeftOver(settings.stallTimeoutMs, account, completion, warnings, guards.signal),
      failWhenLost(engine.ping, guards.signal),
    ]);
  } catch (error) {
    failure = failureFrom(error);
    log.debug("cause of the failure", { stack: failure.stack, cause: causeOf(failure) });
  } finally {
    guards.abort();
  }

  const boundMs = failure?.kind === "cancelled" ? hurriedCleanUpMs : cleanUpMs;
  if (failure && session) await bounded(session.abort(), boundMs);
  const closed = session ? await bounded(session.close(), boundMs) : "done";
  const stopped = await bounded(engine.stop(), boundMs);
  if (closed !== "done" || stopped !== "done")
    log.info("clean-up was incomplete", { session: closed, client: stopped });
  eventLog.close();
  process.off("exit", flushOnExit);

  failure ??= incompleteRecord(eventLog);
  warnings.push(...warningsOf(account, gatekeeper, failure));
  return {
    outcome: outcomeOf(failure),
    exitCode: 0,
    ...(failure && failureFields(failure)),
    output: account.answer(),
    hasOutput: account.hasAnswer(),
    durationMs: Math.round(now() - startedAt),
    sessionId,
    model: settings.model,
    ...account.summary(),
    denials: gatekeeper.denials,
    warnings,
    eventsFile: eventLog.path,
  };
};

const sessionOptionsOf = (settings: DriverSettings, sessionId: string) => {
  const { model, reasoningEffort, workingDirectory, customInstructions, maxAiCredits, provider, mcpServers } =
    settings;
  return {
    sessionId,
    model,
    reasoningEffort,
    workingDirectory,
    customInstructions,
    maxAiCredits,
    provider,
    mcpServers,
  };
};

const tooSlow = (what: string, signal: AbortSignal): Promise<never> =>
  failAfter(
    startTimeoutMs,
    () => new Failure("connection", `The Copilot runtime did not ${what} within ${startTimeoutMs / 1000} s`),
    signal,
  );

const timedOut = (ms: number): Failure =>
  new Failure("timeout", `No completion within ${ms} ms (COPILOT_SDK_SEND_TIMEOUT_MS)`);

/** Silence while the agent works is a stall; silence after it went idle means that only left-over work remains. */
const stalledOrLeftOver = (
  timeoutMs: number,
  account: Account,
  completion: Completion,
  warnings: string[],
  signal: AbortSignal,
) =>
  new Promise<void>((finish, fail) => {
    const silentFor = () => (completion.idle || account.runningTools() === 0 ? account.silentFor() : 0);
    const react = () => {
      if (!completion.idle) {
        return fail(
          new Failure(
            "stalled",
            `No event for ${timeoutMs} ms while no tool ran (COPILOT_SDK_STALL_TIMEOUT_MS)`,
          ),
        );
      }
      warnings.push(
        "The agent was idle while tool calls or background tasks had not ended; they were left behind",
      );
      finish();
    };
    void onSilence({ timeoutMs, silentFor, signal }, react);
  });

const denialBudget = (limit: number | undefined) => {
  let left = limit ?? Infinity;
  let fail: (failure: Failure) => void;
  const spent = new Promise<never>((_, reject) => (fail = reject));
  spent.catch(() => {});
  return {
    spent,
    spend: (): void => {
      if (--left === 0) fail(new Failure("denied", `${limit} requests were denied (GH_AW_MAX_TOOL_DENIALS)`));
    },
  };
};

/** The runtime records that a request was refused; only we know why. */
const decisionEvent = (
  request: unknown,
  { decision, reason, message, rule, part }: Decision,
): AgentEvent => ({
  type: "driver.permission_decided",
  id: randomUUID(),
  timestamp: new Date().toISOString(),
  parentId: null,
  data: {
    toolCallId: (request as { toolCallId?: unknown } | null)?.toolCallId,
    request: summarize(request),
    decision,
    reason,
    message,
    ...(rule !== undefined && { rule }),
    ...(part !== undefined && { part }),
  },
});

const reportToSecondaryLog = (file: string | undefined, denial: Denial, log: Log): void => {
  if (file === undefined) return;
  try {
    appendFileSync(file, `${JSON.stringify({ timestamp: new Date().toISOString(), ...denial })}\n`);
  } catch (error) {
    log.error("cannot write the denial log", { file, problem: messageOf(error) });
  }
};

const logTool = ({ type, data }: AgentEvent, log: Log): void => {
  const { toolName, toolCallId, success } = data as Record<string, string | boolean | undefined>;
  if (type === "tool.execution_start") log.info("tool started", { tool: toolName, call: toolCallId });
  if (type === "tool.execution_complete") log.info("tool ended", { call: toolCallId, success });
};

const incompleteRecord = ({ path, problem }: EventLog): Failure | undefined =>
  problem === undefined
    ? undefined
    : new Failure("record", `The event log ${path} is incomplete: ${problem}`);

const warningsOf = (account: Account, gatekeeper: Gatekeeper, failure: Failure | undefined): string[] => [
  ...account.brokenServers(),
  ...(gatekeeper.denials.length > 0 && gatekeeper.approvals === 0
    ? ["Every permission request of the agent was denied"]
    : []),
  ...(!failure && !account.hasAnswer() ? ["The agent gave no answer"] : []),
];

const causeOf = ({ cause }: Failure): string | undefined =>
  cause instanceof Error ? cause.stack : undefined;
