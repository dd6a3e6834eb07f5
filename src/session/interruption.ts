import { constants } from "node:os";
import { Failure } from "../errors.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** More than an ending in good order takes; whoever sent the signal kills a little later. */
const exitAfterMs = 4_500;

/** The first signal ends the run in good order, within a bound; further ones, such as a terminal's copy of it, change nothing. */
export const listenForSignals = (): Promise<never> =>
  new Promise((_, reject) => {
    let interrupted = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (interrupted) return;
        interrupted = true;
        const exitCode = 128 + constants.signals[signal];
        setTimeout(() => process.exit(exitCode), exitAfterMs).unref();
        reject(new Failure("cancelled", `Received ${signal}`, { exitCode }));
      });
    }
  });
