/** Tool calls with the permission requests that belong to them, in whatever order the log has them. */
import { oneLine } from "./cut.ts";
import type { LoggedDenial } from "./denials.ts";
import { impliedRequest } from "./implied-request.ts";
import type { Entry } from "./model.ts";
import { fieldsOf, textOf, type Fields, type LogEvent } from "./reading.ts";
import type { Handlers, Story } from "./story.ts";
import { exitCodeOf, jsonText, section, toolOutcome, toolSections, toolTitle } from "./tool-sections.ts";

type ToolCall = {
  entry: Entry;
  index: number;
  /** The data of its start event; gone once it has ended. */
  started: Fields;
  done: boolean;
  denied: boolean;
  proposedDiff?: string;
  decision?: string;
};

type Request = { request: Fields; call?: ToolCall; entry?: Entry; index?: number };

export type ToolCalls = {
  handlers: Handlers;
  denials: LoggedDenial[];
  agentOfCall: (callId: string) => number | undefined;
  /** Describes the calls that never completed. */
  finish: () => void;
};

const nameOf = ({ toolName, mcpServerName, mcpToolName }: Fields): string => {
  const server = textOf(mcpServerName);
  const tool = textOf(mcpToolName);
  return server !== undefined && tool !== undefined ? `${server}(${tool})` : (textOf(toolName) ?? "tool");
};

export const watchToolCalls = (story: Story): ToolCalls => {
  const { facts, entries, agents, offsetOf, agentOf, add } = story;
  const calls = new Map<string, ToolCall>();
  /** Permission events of sub-agents name no agent: then the latest call with that id is meant. */
  const latestCall = new Map<string, ToolCall>();
  const requests = new Map<string, Request>();
  const early = new Map<string, Request[]>();
  const denials: LoggedDenial[] = [];

  const keyOf = (agent: number, callId: string): string => `${agent}\0${callId}`;

  const find = (agent: number, callId: string | undefined): ToolCall | undefined =>
    callId === undefined ? undefined : (calls.get(keyOf(agent, callId)) ?? latestCall.get(callId));

  const attach = (request: Request, call: ToolCall): void => {
    request.call = call;
    const diff = textOf(request.request.diff);
    if (diff !== undefined) call.proposedDiff = diff;
  };

  const start = (event: LogEvent): ToolCall => {
    const agent = agentOf(event);
    const callId = textOf(event.data.toolCallId) ?? `line ${event.line}`;
    const entry = add(event, {
      kind: "tool",
      name: nameOf(event.data),
      title: toolTitle(event.data.arguments, facts.workspace),
      depth: (agents[agent]?.depth ?? 0) + 1,
    });
    const call: ToolCall = {
      entry,
      index: entries.length - 1,
      started: event.data,
      done: false,
      denied: false,
    };
    calls.set(keyOf(agent, callId), call);
    latestCall.set(callId, call);
    for (const request of early.get(callId) ?? []) attach(request, call);
    early.delete(callId);
    return call;
  };

  const describe = (call: ToolCall, completion: Fields | undefined): void => {
    const { entry, started, proposedDiff, decision } = call;
    const exitCode = completion && exitCodeOf(completion);
    entry.outcome = toolOutcome(completion, call.denied);
    if (exitCode) entry.note = `exit ${exitCode}`;
    entry.sections = toolSections({
      toolName: entry.name,
      args: started.arguments,
      completion,
      proposedDiff,
      decision,
      workspace: facts.workspace,
    });
  };

  const deny = (request: Request, message: string): void => {
    const { call } = request;
    const entry = call?.entry ?? request.entry;
    if (entry) {
      entry.outcome = "denied";
      delete entry.approved;
    }
    if (call) call.denied = true;
    const index = call?.index ?? request.index;
    denials.push({
      request: request.request,
      message,
      ...(entry && index !== undefined && { entry, index }),
    });
  };

  const handlers: Handlers = {
    "tool.execution_start": (event) => {
      start(event);
    },
    "tool.execution_complete": (event, data) => {
      const call = find(agentOf(event), textOf(data.toolCallId)) ?? start(event);
      const { entry } = call;
      entry.ms = Math.max(0, offsetOf(event) - entry.at);
      describe(call, data);
      const refusedWithoutRequest = entry.outcome === "denied" && !call.denied;
      const message = textOf(fieldsOf(data.error).message) ?? "denied";
      if (refusedWithoutRequest) deny({ request: impliedRequest(call.started), call }, message);
      call.done = true;
      call.started = {};
    },
    "permission.requested": (event, data) => {
      const request: Request = { request: fieldsOf(data.permissionRequest) };
      const callId = textOf(request.request.toolCallId);
      requests.set(textOf(data.requestId) ?? `line ${event.line}`, request);
      const call = find(agentOf(event), callId);
      if (call && !call.done) return attach(request, call);
      if (callId !== undefined) return void early.set(callId, [...(early.get(callId) ?? []), request]);
      request.entry = add(event, {
        kind: "permission",
        name: textOf(request.request.kind) ?? "permission",
        title: oneLine(textOf(request.request.intention) ?? jsonText(request.request), 240),
        outcome: "unfinished",
        sections: [section("Request", "json", jsonText(request.request))],
      });
      request.index = entries.length - 1;
    },
    "permission.completed": (event, data) => {
      const id = textOf(data.requestId) ?? "";
      const request = requests.get(id) ?? { request: {} };
      requests.delete(id);
      const call = request.call ?? find(agentOf(event), textOf(data.toolCallId));
      if (call) request.call = call;
      const result = fieldsOf(data.result);
      const verdict = textOf(result.kind) ?? "no verdict";
      const feedback = textOf(result.feedback) ?? textOf(result.message);
      if (verdict.startsWith("approved")) {
        if (request.entry) request.entry.outcome = "ok";
        if (call && !call.denied) call.entry.approved = true;
        return;
      }
      if (call) call.decision = feedback ?? `Refused by the runtime: ${verdict}.`;
      deny(request, feedback ?? verdict);
    },
  };

  const finish = (): void => {
    for (const call of calls.values()) if (!call.done) describe(call, undefined);
  };

  return { handlers, denials, agentOfCall: (callId) => latestCall.get(callId)?.entry.agent, finish };
};
