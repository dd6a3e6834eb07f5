import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { AgentEngine, AgentSession } from "./engine.ts";
import { bounded } from "./watchdog.ts";

const cleanUpMs = 5_000;
/** A cancelled run has only seconds before it is killed. */
const hurriedCleanUpMs = 1_000;

/** Best effort, each part within its bound; a run that went well stays so. */
export const cleanUp = async (options: {
  session: AgentSession | undefined;
  engine: AgentEngine;
  failed: boolean;
  lost: Promise<never>;
  interrupted: Promise<never>;
  log: Log;
}): Promise<void> => {
  const { session, engine, failed, lost, interrupted, log } = options;
  const tidy = (work: Promise<unknown>) =>
    Promise.race([
      bounded(Promise.race([work, lost]), cleanUpMs),
      interrupted.catch(() => delay(hurriedCleanUpMs, "too slow" as const)),
    ]);
  if (failed && session) await tidy(session.abort());
  const closed = session ? await tidy(session.close()) : "done";
  const stopped = await tidy(engine.stop());
  if (closed !== "done" || stopped !== "done")
    log.info("clean-up was incomplete", { session: closed, client: stopped });
};
