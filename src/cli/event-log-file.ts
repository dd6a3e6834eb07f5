/** Reads an event log line by line, whatever its size. */
import { createReadStream, statSync } from "node:fs";
import { Failure, messageOf } from "../errors.ts";
import { linesOf } from "./lines.ts";

/** A folder stands for the `events.jsonl` in it. */
export const logFileOf = (path: string): string => {
  try {
    return statSync(path).isDirectory() ? `${path.replace(/[/\\]$/, "")}/events.jsonl` : path;
  } catch (error) {
    throw new Failure("configuration", `Cannot read ${path} (${messageOf(error)}).`);
  }
};

export const readLog = async (file: string, addLine: (line: string) => void): Promise<void> => {
  try {
    for await (const line of linesOf(createReadStream(file))) addLine(line);
  } catch (error) {
    throw new Failure("configuration", `Cannot read ${file} (${messageOf(error)}).`);
  }
};
