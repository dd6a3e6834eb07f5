import { closeSync, ftruncateSync, openSync, rmdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import type { AgentEvent } from "./engine.ts";

/**
 * Non-ephemeral events as JSON Lines. Readers reject a whole file for one torn line, so only whole lines are written.
 * Writing is synchronous: the event loop waits for the disk, and with it the paced connection and its sender, instead
 * of memory filling up; and a flush works on every way out.
 */
export type EventLog = {
  readonly path: string;
  /** Whether anything was written; without, there is no file at the path. */
  readonly exists: boolean;
  append: (event: AgentEvent) => void;
  flush: () => void;
  close: () => void;
  /** Why the log is incomplete, once it is. */
  readonly problem: string | undefined;
};

const batchBytes = 64 * 1024;

export const openEventLog = (
  base: string,
  sessionId: string,
  toJson: (value: unknown) => string,
): EventLog => {
  const directory = join(base, sessionId);
  const path = join(directory, "events.jsonl");
  try {
    makeFolder(directory);
  } catch (error) {
    throw new Failure(
      "configuration",
      `GH_AW_SESSION_STATE_BASE_DIR: cannot write below ${base} (${messageOf(error)})`,
    );
  }

  let file: number | undefined;
  let written = 0;
  let waiting: string[] = [];
  let waitingBytes = 0;
  let scheduled: NodeJS.Immediate | undefined;
  let problem: string | undefined;

  const write = (bytes: Buffer): void => {
    file ??= openSync(path, "a");
    for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
    written += bytes.length;
  };

  const giveUp = (error: unknown): void => {
    problem = messageOf(error);
    try {
      if (file !== undefined) ftruncateSync(file, written);
    } catch {
      // The disk that refused the line may refuse this too; the problem is already recorded.
    }
  };

  const flush = (): void => {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (waiting.length === 0) return;
    const bytes = Buffer.from(waiting.join(""));
    waiting = [];
    waitingBytes = 0;
    if (problem !== undefined) return;
    try {
      write(bytes);
    } catch (error) {
      giveUp(error);
    }
  };

  return {
    path,
    get exists() {
      return written > 0;
    },
    append: (event) => {
      if (event.ephemeral === true || problem !== undefined) return;
      const line = `${toJson(event)}\n`;
      waiting.push(line);
      waitingBytes += line.length;
      if (waitingBytes >= batchBytes) flush();
      else scheduled ??= setImmediate(flush);
    },
    flush,
    close: () => {
      flush();
      try {
        if (file === undefined) rmdirSync(directory);
        else closeSync(file);
      } catch {
        // Nothing is lost: every line is already with the system.
      }
      file = undefined;
    },
    get problem() {
      return problem;
    },
  };
};
