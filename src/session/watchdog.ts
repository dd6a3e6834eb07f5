import { setTimeout as delay } from "node:timers/promises";
import type { Failure } from "../errors.ts";

/** Promises that reject when a bound is broken, to be raced against the work. They end with their signal. */

const forever = (): Promise<never> => new Promise(() => {});

export const failAfter = async (ms: number, failure: () => Failure, signal: AbortSignal): Promise<never> => {
  const elapsed = await delay(ms, true, { signal }).catch(() => false);
  if (elapsed) throw failure();
  return forever();
};

/** Waits in steps as long as the remaining silence, so that a flood of events costs no timers. */
export const onSilence = async (
  options: { timeoutMs: number; silentFor: () => number; signal: AbortSignal },
  react: () => void,
): Promise<never> => {
  const { timeoutMs, silentFor, signal } = options;
  if (timeoutMs === 0) return forever();
  for (;;) {
    const remaining = timeoutMs - silentFor();
    if (remaining <= 0) {
      react();
      return forever();
    }
    if (!(await delay(remaining, true, { signal }).catch(() => false))) return forever();
  }
};

/** Best effort: waits for the work at most so long, and tells how it went. */
export const bounded = async (
  work: Promise<unknown>,
  ms: number,
): Promise<"done" | "failed" | "too slow"> => {
  const settled = work.then(
    () => "done" as const,
    () => "failed" as const,
  );
  const timer = new AbortController();
  const slow = delay(ms, "too slow" as const, { signal: timer.signal }).catch(() => "too slow" as const);
  const outcome = await Promise.race([settled, slow]);
  timer.abort();
  return outcome;
};
