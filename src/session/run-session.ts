import { randomUUID } from "node:crypto";
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Policy } from "../policy/rules.ts";
import type { Redactor } from "../redact.ts";
import type { DriverSettings, OutputSchema } from "../settings/driver.ts";
import { keepAccount, type Account } from "./account.ts";
import { failureFrom, failureToConnect } from "./classify.ts";
import { cleanUp } from "./clean-up.ts";
import { startConversation, type Conversation } from "./conversation.ts";
import { decisionEvent } from "./decision-event.ts";
import { denialBudget } from "./denial-budget.ts";
import { openDenialLog } from "./denial-log.ts";
import type { AgentEngine, AgentEvent, AgentSession } from "./engine.ts";
import { openEventLog, type EventLog } from "./event-log.ts";
import { modelUsedEvent } from "./model-used-event.ts";
import { createGatekeeper, type Gatekeeper } from "./permissions.ts";
import { failedResult, type SessionResult } from "./result.ts";
import type { StructuredOutput } from "./structured-output.ts";
import { failAfter } from "./watchdog.ts";

const startTimeoutMs = 30_000;

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
  const structure = settings.outputSchema && (await loadStructure(settings.outputSchema));
  const eventLog = openEventLog(settings.eventLogBase, sessionId, redactor.json);
  const flushOnExit = () => eventLog.flush();
  process.on("exit", flushOnExit);

  const mcpServers = Object.keys(settings.mcpServers);
  const account = keepAccount({ mcpServers, now });
  const budget = denialBudget(settings.maxToolDenials);
  const reportDenial = openDenialLog(settings.denialLogFile, log);
  const gatekeeper = createGatekeeper({
    policy: context.policy,
    workspace: settings.workingDirectory,
    mcpServers,
    log,
    redact: redactor.text,
    onDecision: (request, decision) => eventLog.append(decisionEvent(request, decision)),
    onDenial: (denial) => {
      reportDenial(denial);
      budget.spend();
    },
  });
  const lost = engine.lost.then(() => {
    throw new Failure("runtime-crashed", "The connection to the Copilot runtime was lost");
  });
  lost.catch(() => {});
  const guards = new AbortController();
  const { signal } = guards;
  let session: AgentSession | undefined;
  let conversation: Conversation | undefined;
  let structuredOutput: { value: unknown } | undefined;
  let failure: Failure | undefined;

  const onEvent = (event: AgentEvent): void => {
    eventLog.append(event);
    if (event.type === "assistant.usage") eventLog.append(modelUsedEvent(event));
    account.observe(event);
    gatekeeper.observe(event);
    conversation?.observe(event);
    logTool(event, log);
  };

  try {
    log.always("connecting to the Copilot runtime", { uri: settings.uri });
    const slow = tooSlow("accept the connection", signal);
    await Promise.race([engine.start(), interrupted, lost, slow]).catch((error: unknown) => {
      throw failureToConnect(error);
    });
    log.always("client started");

    const { onPermissionRequest, onToolUse } = gatekeeper;
    session = await Promise.race([
      engine.createSession({
        ...sessionOptionsOf(settings, sessionId),
        onEvent,
        ...(onPermissionRequest && { onPermissionRequest }),
        ...(onToolUse && { onToolUse }),
      }),
      interrupted,
      lost,
      tooSlow("create the session", signal),
    ]);
    log.always("session created", { sessionId, model: settings.model, events: eventLog.path });

    const endings = [interrupted, budget.spent, lost];
    conversation = startConversation({ session, account, settings, endings, signal });
    log.always("sending the prompt", {
      characters: settings.prompt.length,
      timeoutMs: settings.sendTimeoutMs,
    });
    await conversation.ask(structure ? structure.ask(settings.prompt) : settings.prompt);
    if (structure) {
      const { value } = await settleStructure(structure, conversation, account, log);
      // Redacted as data: in its text a credential may stand behind the letter of an escape.
      structuredOutput = { value: JSON.parse(redactor.json(value)) as unknown };
    }
  } catch (error) {
    failure = failureFrom(error);
    log.debug("cause of the failure", { stack: failure.stack, cause: causeOf(failure) });
  } finally {
    guards.abort();
  }

  await cleanUp({ session, engine, failed: failure !== undefined, lost, interrupted, log });
  eventLog.close();
  process.off("exit", flushOnExit);

  failure ??= incompleteRecord(eventLog);
  const result: SessionResult = {
    outcome: "completed",
    exitCode: 0,
    output: structuredOutput ? JSON.stringify(structuredOutput.value, null, 2) : account.answer(),
    hasOutput: account.hasAnswer(),
    ...(structuredOutput && { structuredOutput: structuredOutput.value }),
    durationMs: Math.round(now() - startedAt),
    sessionId,
    model: settings.model,
    ...account.summary(),
    denials: gatekeeper.denials,
    warnings: [...(conversation?.leftBehind() ?? []), ...warningsOf(account, gatekeeper, failure)],
    ...(eventLog.exists && { eventsFile: eventLog.path }),
  };
  return failure ? failedResult(result, failure) : result;
};

const sessionOptionsOf = (settings: DriverSettings, sessionId: string) => {
  const { model, reasoningEffort, workingDirectory, customInstructions } = settings;
  const { maxAiCredits, provider, mcpServers } = settings;
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

/** The validator is large, and few runs need it. */
const loadStructure = async (schema: OutputSchema): Promise<StructuredOutput> => {
  const { structureOutput } = await import("./structured-output.ts");
  return structureOutput(schema);
};

/** One repair turn in the same session; then the answer fits, or the run failed. */
const settleStructure = async (
  structure: StructuredOutput,
  conversation: Conversation,
  account: Account,
  log: Log,
): Promise<{ value: unknown }> => {
  const first = structure.check(account.answer());
  if (first.valid) return first;
  log.warning("the answer does not fit the schema, asking once more", {
    problems: first.problems.join("; "),
  });
  await conversation.ask(structure.askAgain(first.problems));
  const second = structure.check(account.answer());
  if (second.valid) return second;
  throw new Failure(
    "invalid-output",
    `The answer does not fit the schema after one repair: ${second.problems.join("; ")}`,
  );
};

const tooSlow = (what: string, signal: AbortSignal): Promise<never> =>
  failAfter(
    startTimeoutMs,
    () => new Failure("connection", `The Copilot runtime did not ${what} within ${startTimeoutMs / 1000} s`),
    signal,
  );

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
