/** Without a listener a signal ends the process on the spot, and nothing that is removed at the exit would be removed. */
import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Until somebody else listens, who ends the work in better order. */
export const exitOnSignal = (): void => {
  for (const signal of signals)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
};
