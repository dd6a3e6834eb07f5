import { constants } from "node:os";
import { Failure } from "../errors.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal ends the run in good order; a second one ends the process. */
export const listenForSignals = (): Promise<never> =>
  new Promise((_, reject) => {
    let interrupted = false;
    for (const signal of signals) {
      process.on(signal, () => {
        const exitCode = 128 + constants.signals[signal];
        if (interrupted) process.exit(exitCode);
        interrupted = true;
        reject(new Failure("cancelled", `Received ${signal}`, { exitCode }));
      });
    }
  });
