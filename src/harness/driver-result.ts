/** The result that a driver left: of what anybody may have written there, the fields that are what they should be. */
import { failureKinds, type FailureKind } from "../errors.ts";
import type { Outcome, SessionResult } from "../session/result.ts";
import { isRecord, isStringArray } from "../settings/problems.ts";
import { readRegularFile } from "./untrusted-file.ts";

const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";

const recordsWith =
  (...names: string[]) =>
  (value: unknown): boolean =>
    Array.isArray(value) &&
    value.every((item) => isRecord(item) && names.every((name) => isText(item[name])));

const outcomes: readonly Outcome[] = ["completed", "failed", "timed-out", "cancelled", "denied"];

const fields: Record<keyof SessionResult, (value: unknown) => boolean> = {
  exitCode: Number.isInteger,
  outcome: (value) => outcomes.includes(value as Outcome),
  errorKind: (value) => failureKinds.includes(value as FailureKind),
  message: isText,
  advice: isText,
  retryable: isFlag,
  output: isText,
  hasOutput: isFlag,
  structuredOutput: () => true,
  durationMs: Number.isFinite,
  sessionId: isText,
  model: isText,
  runtimeVersion: isText,
  usage: isRecord,
  tools: recordsWith("name"),
  denials: recordsWith("kind", "summary", "reason", "message"),
  codeChanges: (value) => isRecord(value) && isStringArray(value["filesModified"]),
  warnings: isStringArray,
  eventsFile: isText,
};

const longestResult = 64 * 1024 * 1024;

/** Nothing without an exit code: whatever that is, it is no result. */
export const readDriverResult = (file: string): Partial<SessionResult> | undefined => {
  try {
    const parsed: unknown = JSON.parse(readRegularFile(file, longestResult) ?? "");
    if (!isRecord(parsed) || !fields.exitCode(parsed["exitCode"])) return undefined;
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, isRight]) =>
        name in parsed && isRight(parsed[name]) ? [[name, parsed[name]]] : [],
      ),
    );
  } catch {
    return undefined;
  }
};
