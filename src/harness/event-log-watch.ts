/** Follows the event log that the driver writes, so that a live view needs no second channel. */
import { closeSync, existsSync, readSync } from "node:fs";
import { join } from "node:path";
import { openRegularFile, readRegularFile } from "./untrusted-file.ts";

export type EventLogWatch = {
  /** Drivers name their session in their log: that is how we know which event log is theirs. */
  readDriverLine: (line: string) => void;
  path: () => string | undefined;
  /** Hands on what is left and ends. */
  close: () => void;
};

const intervalMs = 100;
const chunkBytes = 256 * 1024;
const sessionId = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

export const watchEventLog = (
  base: string,
  onEvent: ((event: unknown) => void) | undefined,
): EventLogWatch => {
  const candidates = new Set<string>();
  let file: number | undefined;
  let found: string | undefined;
  let rest = Buffer.alloc(0);

  const path = (): string | undefined =>
    (found ??= [...candidates].map((id) => join(base, id, "events.jsonl")).find((name) => existsSync(name)));

  const handOn = (): void => {
    const name = path();
    if (name === undefined || onEvent === undefined) return;
    file ??= openRegularFile(name);
    if (file === undefined) return;
    const chunk = Buffer.alloc(chunkBytes);
    for (;;) {
      const length = readSync(file, chunk, 0, chunkBytes, null);
      if (length === 0) return;
      rest = Buffer.concat([rest, chunk.subarray(0, length)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const event = parse(rest.toString("utf8", 0, end));
        if (event !== undefined) onEvent(event);
        rest = rest.subarray(end + 1);
      }
    }
  };

  const timer = onEvent === undefined ? undefined : setInterval(handOn, intervalMs);

  return {
    readDriverLine: (line) => {
      if (found === undefined) for (const [id] of line.matchAll(sessionId)) candidates.add(id);
    },
    path,
    close: () => {
      clearInterval(timer);
      handOn();
      if (file !== undefined) closeSync(file);
    },
  };
};

/** Other drivers may write JSON with blanks. */
const actions = /"type"\s*:\s*"(?:tool\.execution_start|assistant\.message)"/;
const longestLog = 64 * 1024 * 1024;

/** Without a result, the event log tells whether the agent has done anything. One that cannot be read has a reason. */
export const showsAction = (path: string): boolean => {
  const text = readRegularFile(path, longestLog);
  return text === undefined || actions.test(text);
};
