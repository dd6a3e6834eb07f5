/** What a run is doing, told from its events as they come: for a terminal and for a job's log. */
import { summarize } from "../policy/summarize.ts";

export type ToolLine = {
  tool: string;
  /** The telling argument, short and on one line. */
  subject: string;
  durationMs: number;
  outcome: "done" | "failed" | "denied";
  /** Why it was denied or failed, where that is known. */
  why?: string;
};

export type Progress = {
  /** What runs now, or what the agent does when nothing runs. */
  doing: string;
  tools: number;
  denials: number;
  /** Read and written by the model. */
  tokens: number;
};

type Event = { type?: unknown; agentId?: unknown; timestamp?: unknown; data?: Record<string, unknown> };

const subjectLength = 100;

const shorten = (text: string): string =>
  text.length > subjectLength ? `${text.slice(0, subjectLength - 1)}…` : text;

const subjectOf = (toolArguments: unknown): string => {
  const subject = summarize({ kind: "tool", arguments: toolArguments }).replace(/^tool ?/, "");
  return shorten(subject);
};

const timeOf = ({ timestamp }: Event): number => Date.parse(String(timestamp));

const outcomeOf = (data: Record<string, unknown>): ToolLine["outcome"] => {
  if (data["success"] === true) return "done";
  return (data["error"] as { code?: unknown } | undefined)?.code === "denied" ? "denied" : "failed";
};

const messageIn = (data: Record<string, unknown>): string | undefined => {
  const message = (data["error"] as { message?: unknown } | undefined)?.message;
  return typeof message === "string" ? message.split("\n", 1)[0] : undefined;
};

export const followProgress = () => {
  const reasons = new Map<string, string>();
  const running = new Map<string, { tool: string; subject: string; startedAt: number }>();
  let [tools, denials, tokens, thinking] = [0, 0, 0, false];

  const start = (key: string, event: Event, data: Record<string, unknown>): void => {
    tools++;
    running.set(key, {
      tool: String(data["toolName"]),
      subject: subjectOf(data["arguments"]),
      startedAt: timeOf(event),
    });
  };

  const end = (key: string, event: Event, data: Record<string, unknown>): ToolLine | undefined => {
    const call = running.get(key);
    if (!call) return undefined;
    running.delete(key);
    const outcome = outcomeOf(data);
    if (outcome === "denied") denials++;
    const { tool, subject, startedAt } = call;
    const why = outcome === "done" ? undefined : (reasons.get(String(data["toolCallId"])) ?? messageIn(data));
    const durationMs = Math.max(0, timeOf(event) - startedAt) || 0;
    return { tool, subject, outcome, durationMs, ...(why !== undefined && { why: shorten(why) }) };
  };

  return {
    /** A line for each tool call that ended. */
    observe: (event: unknown): ToolLine | undefined => {
      const { type, agentId, data = {} } = event as Event;
      const key = `${String(agentId)}\n${String(data["toolCallId"])}`;
      if (type === "assistant.turn_start") thinking = true;
      if (type === "assistant.turn_end") thinking = false;
      if (type === "driver.model_used")
        tokens += (Number(data["inputTokens"]) || 0) + (Number(data["outputTokens"]) || 0);
      if (type === "driver.permission_decided" && data["decision"] === "deny")
        reasons.set(String(data["toolCallId"]), String(data["message"]));
      if (type === "tool.execution_start") start(key, event as Event, data);
      return type === "tool.execution_complete" ? end(key, event as Event, data) : undefined;
    },
    progress: (): Progress => {
      const [current] = [...running.values()].slice(-1);
      const doing = current ? `${current.tool} ${current.subject}`.trim() : thinking ? "thinking" : "waiting";
      return { doing, tools, denials, tokens };
    },
  };
};
