/** Whether the record of a run is whole: an agent that may run programs can reach it. */
import { createReadStream } from "node:fs";
import { Failure } from "../errors.ts";
import { linesOf } from "../lines.ts";
import { isRecord } from "../settings/problems.ts";
import { isRegularFile } from "./own-files.ts";

export type RecordWatch = {
  observe: (event: unknown) => void;
  /** What is wrong with the record now, held against what was seen of it. */
  check: (eventsFile: string | undefined, ownDriver: boolean) => Promise<Failure | undefined>;
};

const isStart = (event: unknown): boolean => isRecord(event) && event["type"] === "session.start";

const readsAsStart = (line: string): boolean => {
  try {
    return isStart(JSON.parse(line));
  } catch {
    return false;
  }
};

const tampered = (what: string): Failure =>
  new Failure("record", `The record of what the agent did ${what}.`, {
    advice:
      "Do not rely on this run: something that the agent started reached its record. Allow it less than every command.",
  });

export const watchRecord = (): RecordWatch => {
  let seen = 0;
  return {
    observe: (event) => {
      // Each attempt has a session and a record of its own.
      seen = isStart(event) ? 1 : seen + 1;
    },
    check: async (eventsFile, ownDriver) => {
      if (eventsFile === undefined) return ownDriver ? tampered("is missing") : undefined;
      if (!isRegularFile(eventsFile)) return tampered("was removed or replaced");
      let events = 0;
      // Other drivers may listen only once their session has started.
      let whole = !ownDriver;
      for await (const line of linesOf(createReadStream(eventsFile))) {
        if (events === 0) whole ||= readsAsStart(line);
        events += 1;
      }
      return whole && events >= Math.max(1, seen) ? undefined : tampered("was emptied or cut");
    },
  };
};
