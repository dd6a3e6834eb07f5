/** What a script expects of the policy, held against the events of the run. */
import { callId } from "./dialect.ts";
import type { Rehearsal } from "./script.ts";
import type { ToolCall, Turn } from "./turn.ts";

const longestSubject = 40;

export type Verdict = {
  /** `2`, or `2.1.3` for the third step of the sub-agent that call 1 of step 2 starts. */
  step: string;
  tool: string;
  expected: string;
  observed: string;
  ok: boolean;
  /** Why it was denied, or how it failed. */
  detail?: string;
};

/** Which of several calls is meant. */
const titleOfCall = ({ name, arguments: given }: ToolCall): string => {
  const { command, path, url } = typeof given === "object" ? given : {};
  const subject = [command, path, url].find((value) => typeof value === "string") ?? "";
  const short = subject.replace(/\s+/g, " ").trim();
  return `${name} ${short.length > longestSubject ? `${short.slice(0, longestSubject)}…` : short}`.trim();
};

type Expected = { id: string; step: string; tool: string; expected: string };

const expectationsOf = (turns: readonly Turn[], prefix = ""): Expected[] =>
  turns.flatMap(({ toolCalls = [] }, turnIndex) =>
    toolCalls.flatMap((call, callIndex) => {
      const label = `${prefix}${turnIndex + 1}`;
      const id = callId(label, callIndex);
      const own = { id, step: label.replaceAll("_", "."), tool: titleOfCall(call) };
      return [
        ...(call.expect ? [{ ...own, expected: call.expect }] : []),
        ...expectationsOf(call.turns ?? [], `${label}_${callIndex + 1}_`),
      ];
    }),
  );

type Data = {
  toolCallId?: unknown;
  success?: unknown;
  error?: { code?: unknown; message?: unknown };
  result?: { kind?: unknown; feedback?: unknown };
};
type CallEvent = { type: string; data: Data };

/** A sub-agent that plays the whole script again repeats its ids: calls of the script's own level are the root agent's. */
const eventsOfCall = (events: readonly unknown[], id: string): CallEvent[] =>
  events.filter((event): event is CallEvent => {
    const { type, data, agentId } = (event ?? {}) as { type?: unknown; data?: Data; agentId?: unknown };
    const ofRoot = id.split("_").length === 3;
    return typeof type === "string" && data?.toolCallId === id && (!ofRoot || agentId === undefined);
  });

const textOf = (value: unknown): { detail?: string } =>
  typeof value === "string" && value !== "" ? { detail: value } : {};

/** A call that ends in failure without having been asked about never met the policy: that is neither yes nor no. */
const observe = (events: readonly CallEvent[]): { observed: string; detail?: string } => {
  const end = events.find(({ type }) => type === "tool.execution_complete")?.data;
  const answers = events.filter(({ type }) => type === "permission.completed").map(({ data }) => data.result);
  const refusal = answers.find((result) => result?.kind !== "approved");
  if (refusal) return { observed: "denied", ...textOf(refusal.feedback) };
  if (end?.error?.code === "denied") return { observed: "denied", ...textOf(end.error.message) };
  if (answers.length > 0 || end?.success === true) return { observed: "approved" };
  if (end) return { observed: "failed before the policy was asked", ...textOf(end.error?.message) };
  return { observed: events.length > 0 ? "never finished" : "never called" };
};

/** `events`: the lines of the run's event log. */
export const checkExpectations = (
  rehearsal: Rehearsal,
  events: readonly unknown[],
  exitCode: number,
): Verdict[] => {
  const calls = expectationsOf(rehearsal.turns).map(({ id, ...expectation }) => {
    const seen = observe(eventsOfCall(events, id));
    return { ...expectation, ...seen, ok: seen.observed === expectation.expected };
  });
  if (rehearsal.exitCode === undefined) return calls;
  const [expected, observed] = [String(rehearsal.exitCode), String(exitCode)];
  return [...calls, { step: "end", tool: "exit code", expected, observed, ok: expected === observed }];
};

const titleOf = ({ step, tool }: Verdict): string => (step === "end" ? tool : `step ${step}  ${tool}`);

/** A verdict in words, for whoever reads the record of the run. */
export type Expectation = { text: string; ok: boolean };

const describe = (verdict: Verdict): string => {
  const { expected, observed, ok, detail } = verdict;
  const outcome = ok ? `${observed}, as expected` : `expected ${expected}, observed ${observed}`;
  return `${titleOf(verdict)}: ${outcome}${ok || detail === undefined ? "" : ` (${detail})`}`;
};

export const expectationsIn = (verdicts: readonly Verdict[]): Expectation[] =>
  verdicts.map((verdict) => ({ text: describe(verdict), ok: verdict.ok }));

/** Unmet expectations as removed and added lines, met ones between them for context. */
export const diffOf = (verdicts: readonly Verdict[]): string => {
  const width = Math.max(...verdicts.map((verdict) => titleOf(verdict).length));
  const line = (mark: string, verdict: Verdict, outcome: string): string =>
    `${mark} ${titleOf(verdict).padEnd(width)}  ${outcome}`;
  return verdicts
    .flatMap((verdict) => {
      if (verdict.ok) return [line(" ", verdict, verdict.observed)];
      const detail = verdict.detail === undefined ? "" : ` (${verdict.detail})`;
      return [line("-", verdict, verdict.expected), line("+", verdict, verdict.observed + detail)];
    })
    .join("\n");
};
