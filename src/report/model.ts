/** What a report shows, as plain data: made by the timeline, read by the summary and by the page. */
import type { Suggestion } from "../policy/suggest.ts";

export type RunOutcome = "completed" | "failed" | "timed-out" | "cancelled" | "denied" | "unknown";

/** What a rehearsal's script expected of the run. */
export type Expectation = { text: string; ok: boolean };

export type EntryKind = "prompt" | "model" | "tool" | "agent" | "error" | "notice" | "permission" | "event";

/** `exit` is a command that ran and ended with a status other than zero. */
export type EntryOutcome = "ok" | "exit" | "failed" | "denied" | "unfinished";

export type Section = { label: string; form: "text" | "markdown" | "code" | "json" | "diff"; text: string };

/** Cost is in AI credits. */
export type Tokens = { input: number; output: number; cached: number; premium: number; cost: number };

export type Entry = {
  kind: EntryKind;
  /** Milliseconds since the start of the run. */
  at: number;
  ms?: number;
  agent: number;
  depth: number;
  turn?: string;
  /** The tool, the model, the agent or the type of the event. */
  name: string;
  title: string;
  outcome?: EntryOutcome;
  note?: string;
  /** A permission was asked for and given. */
  approved?: true;
  line: number;
  tokens?: Tokens;
  sections: Section[];
};

export type Agent = {
  name: string;
  parent?: number;
  depth: number;
  at: number;
  ms?: number;
  outcome?: EntryOutcome;
  task: string;
};

export type Turn = { agent: number; number: string; at: number; ms?: number };

export type ModelCall = Tokens & { at: number; agent: number; model: string };

export type Denial = {
  /** Index of the entry that was denied, when the log shows it. */
  entry?: number;
  kind: string;
  summary: string;
  reason?: string;
  message?: string;
  part?: string;
  rule?: string;
  /** The policy that the report was given would approve it, by this rule where there is one. */
  approval?: { rule?: string };
  suggestions: Suggestion[];
};

export type ToolTotals = {
  name: string;
  calls: number;
  failed: number;
  denied: number;
  unfinished: number;
  ms: number;
};

export type ModelTotals = Tokens & { model: string; requests: number };

export type Usage = Tokens & { requests: number; models: ModelTotals[] };

export type Conclusion = {
  outcome: RunOutcome;
  /** Why it ended as it did, in one sentence, when that is known. */
  message?: string;
  errorKind?: string;
  advice?: string;
  exitCode?: number;
  prompt: string;
  answer: string;
  durationMs: number;
  sessionId?: string;
  model?: string;
  runtimeVersion?: string;
  workspace?: string;
  usage?: Usage;
  changes?: { added: number; removed: number; files: string[] };
  warnings: string[];
  expectations?: Expectation[];
};

export type Run = Conclusion & {
  name: string;
  /** The entries that the run had, or that the report was given. */
  allowList?: readonly string[];
  startedAt?: string;
  calls: ModelCall[];
  turns: Turn[];
  agents: Agent[];
  entries: Entry[];
  denials: Denial[];
  tools: ToolTotals[];
  /** Counted while all entries are there: a page may hold fewer. */
  asked: { times: number; ms: number };
  log: {
    events: number;
    unreadable: { line: number; why: string }[];
    unreadableCount: number;
    /** Entries that a page leaves out of the middle. */
    leftOut?: number;
  };
};
