/** What later steps read. Together the outputs of a job may have one megabyte. */
import type { HarnessResult } from "../harness/settings.ts";
import type { Ending } from "./ending.ts";

export const outputs = {
  result: "The agent's answer; a long one is cut, `result-file` has it whole.",
  "result-file": "A file with the whole answer.",
  "structured-output": "The answer as JSON that fits `output-schema`.",
  conclusion: "How it ended: `completed`, `failed`, `timed-out`, `cancelled`, `denied` or `skipped`.",
  "error-kind": "What kind of failure it was, empty if none; see “Troubleshooting”.",
  "session-id": "The id of the agent's session.",
  "events-file": "The record of the session, one JSON event per line, without secrets.",
  "report-file": "The report of the run as one HTML file.",
  "denied-count": "How many requests were denied; empty if another driver does not tell.",
  denials: "The denied requests with the reason, as a JSON array; the latest are left out if they are many.",
  "input-tokens": "Tokens that the model read.",
  "output-tokens": "Tokens that the model wrote.",
  "premium-requests": "Premium requests that were used.",
  cost: "The cost in AI credits.",
  "duration-ms": "How long the session took, in milliseconds.",
  model: "The model that answered.",
  "runtime-version": "The version of the Copilot runtime.",
} as const;

export type OutputName = keyof typeof outputs;

const longestResult = 200_000;
const longestStructure = 200_000;
const longestDenials = 50_000;

const cutResult = (text: string): string => {
  if (text.length <= longestResult) return text;
  const kept = text.slice(0, longestResult).replace(/[\ud800-\udbff]$/, "");
  return `${kept}\n\n[${text.length - kept.length} more characters are in result-file]`;
};

const denialsText = (denials: HarnessResult["denials"]): string => {
  const kept = [...denials];
  while (kept.length > 0 && JSON.stringify(kept).length > longestDenials)
    kept.length = Math.floor(kept.length * 0.8);
  return JSON.stringify(kept);
};

const structureText = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value));

export const structureFits = (value: unknown): boolean => structureText(value).length <= longestStructure;

const number = (value: number | undefined): string => (value === undefined ? "" : String(value));

/** All but the report's, which is written last. */
export const outputsOf = (
  { conclusion, failure, result, denialsUnknown }: Ending,
  /** Those that are there. */
  { resultFile, eventsFile }: { resultFile: string | undefined; eventsFile: string | undefined },
): Record<Exclude<OutputName, "report-file">, string> => ({
  result: cutResult(result?.output ?? ""),
  "result-file": resultFile ?? "",
  "structured-output": structureFits(result?.structuredOutput) ? structureText(result?.structuredOutput) : "",
  conclusion,
  "error-kind": failure?.kind ?? "",
  "session-id": result?.sessionId ?? "",
  "events-file": eventsFile ?? "",
  "denied-count": denialsUnknown ? "" : String(result?.denials.length ?? 0),
  denials: denialsUnknown ? "" : denialsText(result?.denials ?? []),
  "input-tokens": number(result?.usage?.inputTokens),
  "output-tokens": number(result?.usage?.outputTokens),
  "premium-requests": number(result?.usage?.premiumRequests),
  cost: number(result?.usage?.cost),
  "duration-ms": number(result?.durationMs),
  model: result?.model ?? "",
  "runtime-version": result?.runtimeVersion ?? "",
});
