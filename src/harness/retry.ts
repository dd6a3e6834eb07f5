/** Whether to try again, and when: only while the agent has done nothing that a second run would do twice. */
import type { FailureKind } from "../errors.ts";

export type Attempted = {
  /** How many attempts there were, this one included. */
  attempt: number;
  retries: number;
  errorKind: FailureKind | undefined;
  retryable: boolean;
  /** A tool ran or an answer came. */
  agentActed: boolean;
  remainingMs: number;
  /** A server may ask for days. */
  longestWaitMs: number;
  /** What the server asked for. */
  retryAfterMs?: number | undefined;
};

export type RetryDecision = { retry: true; delayMs: number } | { retry: false; reason: string };

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/** Half fixed, half by chance, so that runs which failed together do not come back together. */
const backOff = (attempt: number, random: () => number): number =>
  Math.round(Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (0.5 + random() / 2));

export const decideRetry = (attempted: Attempted, random: () => number = Math.random): RetryDecision => {
  const { attempt, retries, errorKind, retryable, agentActed, remainingMs, longestWaitMs, retryAfterMs } =
    attempted;
  if (errorKind === undefined) return { retry: false, reason: "the run completed" };
  if (errorKind === "cancelled") return { retry: false, reason: "the run was cancelled" };
  if (!retryable) return { retry: false, reason: "a new run would not help" };
  if (errorKind === "timeout") return { retry: false, reason: "its time is used up" };
  if (agentActed) return { retry: false, reason: "the agent has already acted" };
  if (attempt > retries) return { retry: false, reason: "no retry is left" };
  if (retryAfterMs !== undefined && retryAfterMs > longestWaitMs)
    return { retry: false, reason: "the provider asks for a longer wait than a session may take" };
  const delayMs = retryAfterMs ?? backOff(attempt, random);
  if (delayMs >= remainingMs) return { retry: false, reason: "too little time is left" };
  return { retry: true, delayMs };
};
