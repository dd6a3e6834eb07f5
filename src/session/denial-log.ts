import { appendFileSync } from "node:fs";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Denial } from "./permissions.ts";

/** The specification's optional secondary logger (6.3): one JSON line per denial, as it happens. */
export const openDenialLog =
  (file: string | undefined, log: Log) =>
  (denial: Denial): void => {
    if (file === undefined) return;
    try {
      appendFileSync(file, `${JSON.stringify({ timestamp: new Date().toISOString(), ...denial })}\n`);
    } catch (error) {
      log.error("cannot write the denial log", { file, problem: messageOf(error) });
    }
  };
