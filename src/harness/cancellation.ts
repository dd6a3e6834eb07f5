/** SIGINT, SIGTERM and SIGHUP become one abort signal whose reason is the signal's name; from then on time is short. */

export type Cancellation = {
  signal: AbortSignal;
  /** Aborted when politeness has had its time: what still runs is to be killed. */
  hurry: AbortSignal;
  /** Aborted when the time to end in order is used up: what hangs is to be left as it is. */
  overdue: AbortSignal;
  dispose: () => void;
};

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A terminal and a parent may both deliver one Ctrl-C. */
const sameRequestMs = 1_000;

/** After the signal. Whoever cancels us kills us a little later. */
const hurryAfterMs = 5_000;
const overdueAfterMs = 5_500;
const exitAfterMs = 7_000;

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + (signalNumbers[signal] ?? 15);

export const watchSignals = (): Cancellation => {
  const [cancelled, hurry, overdue] = [new AbortController(), new AbortController(), new AbortController()];
  const timers: NodeJS.Timeout[] = [];
  let first: number | undefined;
  const cancel = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      timers.push(
        setTimeout(() => hurry.abort(), hurryAfterMs),
        setTimeout(() => overdue.abort(), overdueAfterMs),
      );
      // Never cleared: what comes after the run, a summary or a clean-up, may hang too.
      setTimeout(() => process.exit(exitCodeOf(signal)), exitAfterMs).unref();
      cancelled.abort(signal);
    } else if (performance.now() - first > sameRequestMs) hurry.abort();
  };
  for (const signal of signals) process.on(signal, cancel);
  return {
    signal: cancelled.signal,
    hurry: hurry.signal,
    overdue: overdue.signal,
    dispose: () => {
      for (const signal of signals) process.off(signal, cancel);
      timers.forEach(clearTimeout);
    },
  };
};
