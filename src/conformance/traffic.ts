/** What passed between a driver and the runtime, as far as a verdict needs it. */
import type { Message } from "./frames.ts";

export type Answer = { kind: string; feedback?: string };

export type PermissionRequest = Record<string, unknown> & { kind?: string };

export type PermissionCase = {
  request: PermissionRequest;
  answer?: Answer;
  /** Why the runtime did not take the answer. */
  refusal?: string;
};

export type Traffic = {
  connections: number;
  /** Methods of the driver's requests, in order. */
  methods: string[];
  prompts: string[];
  sessionId?: string;
  cases: PermissionCase[];
  /** Types of the session's events that reached the driver. */
  eventTypes: string[];
};

const answerMethod = "session.permissions.handlePendingPermissionRequest";
/** More than any scripted situation needs; a flooding driver must not fill our memory. */
const remembered = 10_000;
const beginningOf = (text: unknown): string => String(text).slice(0, 1_000);

const asAnswer = (value: unknown): Answer => {
  const { kind, feedback } = (value ?? {}) as Record<string, unknown>;
  return {
    kind: beginningOf(kind),
    ...(typeof feedback === "string" && { feedback: beginningOf(feedback) }),
  };
};

export type Recorder = {
  traffic: Traffic;
  fromDriver: (message: Message) => void;
  fromRuntime: (message: Message) => void;
  /** A request that the runtime itself cannot be brought to make. */
  injected: (requestId: string, request: PermissionRequest) => void;
};

export const recordTraffic = (): Recorder => {
  const traffic: Traffic = {
    connections: 0,
    methods: [],

    prompts: [],
    cases: [],
    eventTypes: [],
  };
  const casesById = new Map<string, PermissionCase>();
  const waitingFor = new Map<number | string, { method: string; case?: PermissionCase | undefined }>();

  const addCase = (requestId: string, request: PermissionRequest): void => {
    const permissionCase: PermissionCase = { request };
    casesById.set(requestId, permissionCase);
    traffic.cases.push(permissionCase);
  };

  const fromDriver = ({ id, method, params = {} }: Message): void => {
    if (method === undefined || traffic.methods.length >= remembered) return;
    traffic.methods.push(beginningOf(method));
    if (method === "session.send") traffic.prompts.push(beginningOf(params["prompt"]));
    const answered = method === answerMethod ? casesById.get(String(params["requestId"])) : undefined;
    if (answered) answered.answer = asAnswer(params["result"]);
    if (id !== undefined) waitingFor.set(id, { method, case: answered });
  };

  const fromRuntime = ({ id, method, params = {}, result, error }: Message): void => {
    if (method === "session.event") {
      const { type, data } = (params["event"] ?? {}) as { type?: string; data?: Record<string, unknown> };
      if (traffic.eventTypes.length < remembered) traffic.eventTypes.push(String(type));
      if (type === "permission.requested")
        addCase(String(data?.["requestId"]), (data?.["permissionRequest"] ?? {}) as PermissionRequest);
    }
    if (method !== undefined || id === undefined) return;
    const waited = waitingFor.get(id);
    waitingFor.delete(id);
    if (waited?.case && error) waited.case.refusal = String(error.message);
    const sessionId = (result as { sessionId?: unknown } | undefined)?.sessionId;
    if (waited?.method === "session.create" && typeof sessionId === "string") traffic.sessionId = sessionId;
  };

  return { traffic, fromDriver, fromRuntime, injected: addCase };
};

export const isAnswer = (message: Message): boolean => message.method === answerMethod;
