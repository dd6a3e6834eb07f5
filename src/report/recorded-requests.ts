/** The permission requests of an event log, with what was answered. */
import { impliedRequest } from "./implied-request.ts";
import { fieldsOf, readEvent, textOf, type Fields } from "./reading.ts";

export type RecordedRequest = {
  request: unknown;
  answer: "approved" | "denied" | "unanswered";
  line: number;
};

export type RecordedRequests = {
  requests: RecordedRequest[];
  workspace: string | undefined;
  /** How many lines are events, and how many are nothing that could be read. */
  events: number;
  unreadable: number;
};

export const collectRequests = (): { addLine: (line: string) => void; finish: () => RecordedRequests } => {
  const requests: RecordedRequest[] = [];
  const open = new Map<string, RecordedRequest>();
  const started = new Map<string, Fields>();
  const asked = new Set<string>();
  let workspace: string | undefined;
  let events = 0;
  let unreadable = 0;
  let line = 0;

  const addLine = (text: string): void => {
    line += 1;
    if (text.trim() === "") return;
    const event = readEvent(text, line);
    if ("why" in event) {
      unreadable += 1;
      return;
    }
    events += 1;
    const { type, data } = event;
    if (type === "session.start") workspace ??= textOf(fieldsOf(data.context).cwd);
    const id = textOf(data.requestId) ?? "";
    if (type === "permission.requested") {
      const recorded: RecordedRequest = { request: data.permissionRequest, answer: "unanswered", line };
      requests.push(recorded);
      open.set(id, recorded);
      asked.add(textOf(fieldsOf(data.permissionRequest).toolCallId) ?? "");
    }
    const callId = `${event.agentId ?? ""}\0${textOf(data.toolCallId) ?? ""}`;
    if (type === "tool.execution_start") started.set(callId, data);
    if (type === "tool.execution_complete") {
      const request = impliedRequest(started.get(callId) ?? {});
      started.delete(callId);
      const wasAsked = asked.has(textOf(data.toolCallId) ?? "");
      if (fieldsOf(data.error).code === "denied" && !wasAsked && request.kind !== undefined)
        requests.push({ request, answer: "denied", line });
    }
    const recorded = type === "permission.completed" ? open.get(id) : undefined;
    if (recorded)
      recorded.answer = textOf(fieldsOf(data.result).kind)?.startsWith("approved") ? "approved" : "denied";
  };

  return { addLine, finish: () => ({ requests, workspace, events, unreadable }) };
};
