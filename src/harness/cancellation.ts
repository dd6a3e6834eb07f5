/** SIGINT and SIGTERM during a run become one abort signal whose reason is the signal's name. */
import { killLiveGroups } from "./process-group.ts";

export type Cancellation = { signal: AbortSignal; dispose: () => void };

/** A terminal and a parent may both deliver one Ctrl-C. */
const sameRequestMs = 1_000;

export const watchSignals = (): Cancellation => {
  const controller = new AbortController();
  let first: number | undefined;
  const cancel = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      controller.abort(signal);
    } else if (performance.now() - first > sameRequestMs) killLiveGroups();
  };
  process.on("SIGINT", cancel);
  process.on("SIGTERM", cancel);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off("SIGINT", cancel);
      process.off("SIGTERM", cancel);
    },
  };
};
