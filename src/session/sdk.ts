/** The only module that knows the Copilot SDK: it turns it into an `AgentEngine`. */
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { CopilotClient, RuntimeConnection, type SessionConfig } from "@github/copilot-sdk";
import type { LogLevel } from "../log.ts";
import { isRecord } from "../settings/problems.ts";
import type { AgentEngine, AgentEvent, AgentSession, PermissionAnswer, SessionOptions } from "./engine.ts";
import { paceConnection } from "./paced-connection.ts";

const methodNotFound = -32601;

/** Older runtimes lack some methods; that is no failure. */
const unlessMissing = (error: unknown): undefined => {
  if ((error as { code?: unknown }).code !== methodNotFound) throw error;
};

const providerOf = ({ provider }: SessionOptions): Partial<SessionConfig> => {
  switch (provider.kind) {
    case "copilot":
      return {};
    case "single":
      return { provider: provider.provider as unknown as NonNullable<SessionConfig["provider"]> };
    case "catalogue":
      return {
        providers: provider.providers as unknown as NonNullable<SessionConfig["providers"]>,
        models: provider.models as unknown as NonNullable<SessionConfig["models"]>,
      };
  }
};

const permissionResultOf = (answer: PermissionAnswer) =>
  answer.approve
    ? ({ kind: "approve-once" } as const)
    : ({ kind: "reject", feedback: answer.feedback } as const);

const handlersOf = ({ onPermissionRequest, onToolUse }: SessionOptions): Partial<SessionConfig> => ({
  ...(onPermissionRequest && {
    onPermissionRequest: (request) => permissionResultOf(onPermissionRequest(request)),
  }),
  ...(onToolUse && {
    hooks: {
      onPreToolUse: ({ toolName, toolArgs }) => {
        const answer = onToolUse({ toolName, toolArguments: toolArgs });
        return answer.approve
          ? undefined
          : { permissionDecision: "deny", permissionDecisionReason: answer.feedback };
      },
    },
  }),
});

/** Readers of the record reject it whole for one line without a type, data or a time: what lacks them is completed. */
const eventFrom = (value: unknown): AgentEvent | undefined => {
  const event = value as Partial<AgentEvent> | null;
  const { type, data, timestamp } = event ?? {};
  if (typeof type !== "string") return undefined;
  const hasTime = typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp));
  if (isRecord(data) && hasTime) return event as AgentEvent;
  return {
    id: "",
    ...event,
    type,
    data: isRecord(data) ? data : {},
    timestamp: hasTime ? timestamp : new Date().toISOString(),
  };
};

const configOf = (options: SessionOptions): SessionConfig => ({
  clientName: "copilot-driver",
  sessionId: options.sessionId,
  model: options.model,
  workingDirectory: options.workingDirectory,
  streaming: true,
  // Hooks that the checked-out code brings are commands that run without asking.
  enableFileHooks: false,
  onEvent: (event) => {
    const known = eventFrom(event);
    if (known) options.onEvent(known);
  },
  ...(options.reasoningEffort && {
    reasoningEffort: options.reasoningEffort as NonNullable<SessionConfig["reasoningEffort"]>,
  }),
  ...(!options.customInstructions && { skipCustomInstructions: true }),
  ...(options.maxAiCredits !== undefined && { sessionLimits: { maxAiCredits: options.maxAiCredits } }),
  ...(Object.keys(options.mcpServers).length > 0 && { mcpServers: options.mcpServers }),
  ...providerOf(options),
  ...handlersOf(options),
});

/** Starts the client, and stands between it and its socket before the first byte has come. */
const startPaced = (client: CopilotClient, onLost: () => void): Promise<void> => {
  const started = client.start();
  const holder = client as unknown as { socket?: Duplex | null };
  const { socket } = holder;
  if (!(socket instanceof Socket)) throw new Error("The SDK does not let us hold its connection");
  // The SDK writes header and body apart: left alone, each request waits 40 ms until its header is acknowledged.
  socket.setNoDelay(true);
  holder.socket = paceConnection(socket, onLost);
  return started;
};

export const connectSdk = (options: {
  uri: string;
  connectionToken: string;
  logLevel: LogLevel;
}): AgentEngine => {
  const { uri, connectionToken, logLevel } = options;
  const client = new CopilotClient({
    connection: RuntimeConnection.forUri(uri, { connectionToken }),
    logLevel,
  });
  let tellLost: () => void;
  const lost = new Promise<void>((resolve) => (tellLost = resolve));

  const createSession = async (sessionOptions: SessionOptions): Promise<AgentSession> => {
    const session = await client.createSession(configOf(sessionOptions));
    return {
      send: async (prompt) => void (await session.send({ prompt })),
      abort: () => session.abort(),
      countBackgroundTasks: async () => {
        const list = await session.rpc.tasks.list().catch(unlessMissing);
        return list?.tasks.filter(({ status }) => status === "running").length ?? 0;
      },
      close: async () => {
        // Detaching alone ends the subscription before the runtime has said what the session cost.
        await session.rpc.shutdown({}).catch(unlessMissing);
        await session.disconnect();
      },
    };
  };

  return {
    start: () => startPaced(client, () => tellLost()),
    lost,
    createSession,
    stop: async () => {
      const errors = await client.stop();
      if (errors[0]) throw errors[0];
    },
  };
};

export type OfferedModel = { id: string; name: string };
export type RememberedSession = { sessionId: string; modifiedTime: string; summary?: string };

const ask = async <Answer>(
  { uri, connectionToken }: { uri: string; connectionToken: string },
  question: (client: CopilotClient) => Promise<Answer>,
): Promise<Answer> => {
  const client = new CopilotClient({ connection: RuntimeConnection.forUri(uri, { connectionToken }) });
  await client.start();
  try {
    return await question(client);
  } finally {
    await client.stop();
  }
};

export const listModels = (connection: { uri: string; connectionToken: string }): Promise<OfferedModel[]> =>
  ask(connection, async (client) => (await client.listModels()).map(({ id, name }) => ({ id, name })));

export const listSessions = (connection: {
  uri: string;
  connectionToken: string;
}): Promise<RememberedSession[]> =>
  ask(connection, async (client) =>
    (await client.listSessions()).map(({ sessionId, modifiedTime, summary }) => ({
      sessionId,
      modifiedTime: new Date(modifiedTime).toISOString(),
      ...(summary !== undefined && { summary }),
    })),
  );
