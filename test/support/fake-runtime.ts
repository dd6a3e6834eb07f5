/** A runtime of our own making, for what the real one cannot be brought to do: speaks the protocol, follows a script. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { encode, parseMessage, readFrames } from "../../src/conformance/frames.ts";
import type { AgentEvent } from "../../src/session/engine.ts";

export type Peer = {
  /** Sends a session event to the driver. */
  event: (type: string, data?: object, envelope?: object) => void;
  /** Sends any notification. */
  notify: (method: string, params: Record<string, unknown>) => void;
  /** Sends bytes as they are. */
  raw: (bytes: string | Buffer) => void;
  /** Sends a million events or fewer, as fast as the driver takes them. */
  flood: (from: number, to: number) => Promise<void>;
  socket: Socket;
  sessionId: string;
};

export type FakeRuntime = {
  uri: string;
  token: string;
  /** Every request that the driver sent. */
  received: { method: string; params: Record<string, unknown> }[];
  /** Resolves with the parameters of the next such request, or of one that already came. */
  request: (method: string) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
};

export type Behaviour = {
  /** What happens after the prompt came; the answer to the send request is already out. */
  onSend?: (peer: Peer) => void | Promise<void>;
  /** Answers instead of the default; `undefined` in the map's value means: never answers. */
  answers?: Record<string, ((params: Record<string, unknown>, peer: Peer) => unknown) | undefined>;
};

export const eventOf = (type: string, data: object = {}, envelope: object = {}): AgentEvent => ({
  id: randomUUID(),
  timestamp: new Date().toISOString(),
  parentId: null,
  type,
  data: { ...data },
  ...envelope,
});

export const startFakeRuntime = async ({ onSend, answers = {} }: Behaviour = {}): Promise<FakeRuntime> => {
  const received: FakeRuntime["received"] = [];
  const waiting: { method: string; resolve: (params: Record<string, unknown>) => void }[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const peer: Peer = {
      socket,
      sessionId: "",
      raw: (bytes) => void socket.write(bytes),
      flood: async (from, to) => {
        for (let n = from; n < to; n++) {
          peer.event("tool.execution_partial_result", { n, partialOutput: "x".repeat(200) });
          if (socket.writableNeedDrain) await once(socket, "drain");
        }
      },
      notify: (method, params) => void socket.write(encode({ method, params })),
      event: (type, data, envelope) =>
        peer.notify("session.event", { sessionId: peer.sessionId, event: eventOf(type, data, envelope) }),
    };
    const defaults: Behaviour["answers"] = {
      connect: () => ({ protocolVersion: 3 }),
      ping: () => ({ message: "", timestamp: new Date().toISOString(), protocolVersion: 3 }),
      "session.create": ({ sessionId }) => ({ sessionId, workspacePath: undefined }),
      "session.send": () => ({ messageId: randomUUID() }),
      "session.detach": () => ({ success: true }),
      "session.tasks.list": () => ({ tasks: [] }),
    };
    readFrames(socket, (body) => {
      const { id, method, params = {} } = parseMessage(body) ?? {};
      if (method === undefined || id === undefined) return;
      received.push({ method, params });
      for (const waiter of waiting.filter((each) => each.method === method)) waiter.resolve(params);
      if (method === "session.create") peer.sessionId = String(params["sessionId"]);
      if (method in answers && answers[method] === undefined) return;
      const answer = (answers[method] ?? defaults[method])?.(params, peer) ?? {};
      socket.write(
        encode(
          answer instanceof Error
            ? { id, error: { code: -32603, message: answer.message } }
            : { id, result: answer },
        ),
      );
      if (method === "session.send") void onSend?.(peer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    uri: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: randomUUID(),
    received,
    request: (method) =>
      new Promise((resolve) => {
        const earlier = received.find((each) => each.method === method);
        if (earlier) resolve(earlier.params);
        else waiting.push({ method, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
