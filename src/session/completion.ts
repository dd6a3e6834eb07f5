import { Failure } from "../errors.ts";
import { failureFrom, failureFromSessionError } from "./classify.ts";
import type { AgentEvent, AgentSession } from "./engine.ts";

/** An idle that overtakes the answer, or an error that no idle follows, is given this long. */
const lateAnswerMs = 1_000;
const lateIdleMs = 5_000;

export type Completion = {
  observe: (event: AgentEvent) => void;
  /** Resolves when the work is done; rejects with the failure that ended it. */
  done: Promise<void>;
  readonly idle: boolean;
};

export const isOfRootAgent = ({ agentId, data }: AgentEvent): boolean =>
  agentId === undefined && data["parentToolCallId"] === undefined;

/** Done means: idle, not aborted, no tool call pending, no background task running. */
export const watchForCompletion = (
  session: Pick<AgentSession, "countBackgroundTasks">,
  work: { runningTools: () => number; hasAnswer: () => boolean },
): Completion => {
  let idle = false;
  let error: Failure | undefined;
  let timer: NodeJS.Timeout | undefined;
  let resolve: () => void;
  let reject: (failure: Failure) => void;
  const done = new Promise<void>((onDone, onFailure) => {
    resolve = onDone;
    reject = onFailure;
  });

  const settle = async (): Promise<void> => {
    if (!idle || work.runningTools() > 0) return;
    if (error) return reject(error);
    const tasks = await session.countBackgroundTasks();
    if (idle && tasks === 0 && work.runningTools() === 0) resolve();
  };

  const settleSoon = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => void settle().catch((problem: unknown) => reject(failureFrom(problem))),
      delayMs,
    );
  };

  const reactions: Record<string, (event: AgentEvent) => void> = {
    "user.message": () => (idle = false),
    "assistant.turn_start": () => {
      idle = false;
      error = undefined;
    },
    "assistant.message": () => idle && settleSoon(0),
    "tool.execution_complete": () => idle && settleSoon(0),
    "session.background_tasks_changed": () => idle && settleSoon(0),
    "session.idle": ({ data }) => {
      if (data["aborted"] === true) {
        return reject(
          new Failure("cancelled", "The session was aborted inside the runtime", { exitCode: 1 }),
        );
      }
      idle = true;
      settleSoon(work.hasAnswer() || error ? 0 : lateAnswerMs);
    },
    "session.error": ({ data }) => {
      error = failureFromSessionError(data);
      const reported = error;
      setTimeout(() => error === reported && reject(reported), lateIdleMs).unref();
      if (idle) settleSoon(0);
    },
    "session_limits_exhausted.requested": ({ data }) =>
      reject(
        new Failure("quota", `The session's limit of ${String(data["maxAiCredits"])} AI credits is used up`),
      ),
  };

  return {
    observe: (event) => {
      const inSubAgent = !isOfRootAgent(event) && event.type !== "tool.execution_complete";
      if (!inSubAgent && Object.hasOwn(reactions, event.type)) reactions[event.type]?.(event);
    },
    done,
    get idle() {
      return idle;
    },
  };
};
