/** Stands between one driver and the runtime: hands everything on, writes down what matters, and adds requests of its own. */
import { randomUUID } from "node:crypto";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { encode, frameOf, parseMessage, readFrames, type Message } from "./frames.ts";
import type { Flood } from "./flood.ts";
import { isAnswer, recordTraffic, type PermissionRequest, type Traffic } from "./traffic.ts";

export type Relay = { uri: string; traffic: Traffic; close: () => Promise<void> };

export type RelayOptions = {
  target: string;
  /** Permission requests that reach the driver right after its prompt was accepted. */
  inject?: readonly PermissionRequest[];
  /** Sees every byte that the driver sends, except the handshake that must hold the token. */
  onSent?: (text: string) => void;
  flood: Flood;
};

/** How long the session waits for answers to injected requests before it goes on without them. */
const patienceMs = 4_000;

const requestEvent = (
  sessionId: string,
  requestId: string,
  permissionRequest: PermissionRequest,
): Message => ({
  method: "session.event",
  params: {
    sessionId,
    event: {
      id: randomUUID(),
      timestamp: new Date().toISOString(),
      parentId: null,
      type: "permission.requested",
      data: { requestId, permissionRequest },
    },
  },
});

export const startRelay = async ({ target, inject = [], onSent, flood }: RelayOptions): Promise<Relay> => {
  const [host = "", port = ""] = target.split(":");
  const recorder = recordTraffic();
  const sockets = new Set<Socket>();

  const serve = (driver: Socket): void => {
    recorder.traffic.connections += 1;
    const runtime = connect({ host, port: Number(port) });
    for (const socket of [driver, runtime]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    driver.on("close", () => runtime.destroy());
    runtime.on("close", () => driver.destroy());

    const pending = new Set<string>();
    const held: Buffer[] = [];
    let holding = false;
    let handlesPermissions = false;
    let sendId: Message["id"];

    const release = (): void => {
      holding = false;
      for (const bytes of held.splice(0)) driver.write(bytes);
    };

    const injectAll = (): void => {
      const sessionId = recorder.traffic.sessionId;
      if (sessionId === undefined || inject.length === 0 || !handlesPermissions) return;
      holding = true;
      setTimeout(release, patienceMs).unref();
      for (const request of inject) {
        const requestId = randomUUID();
        pending.add(requestId);
        recorder.injected(requestId, request);
        driver.write(encode(requestEvent(sessionId, requestId, request)));
      }
    };

    // Before a frame is whole: what it announces may never end.
    driver.on("data", (data: Buffer) => {
      flood.count(data.length);
      if (flood.signal.aborted) driver.destroy();
    });
    readFrames(driver, (body) => {
      const message = parseMessage(body) ?? {};
      if (message.method !== "connect") onSent?.(body.toString("utf8"));
      recorder.fromDriver(message);
      if (message.method === "session.create")
        handlesPermissions = message.params?.["requestPermission"] !== false;
      if (message.method === "session.send") sendId = message.id;
      const requestId = String(message.params?.["requestId"]);
      if (!isAnswer(message) || !pending.has(requestId)) {
        runtime.write(frameOf(body));
        return;
      }
      pending.delete(requestId);
      if (message.id !== undefined) driver.write(encode({ id: message.id, result: { success: true } }));
      if (pending.size === 0) release();
    });

    readFrames(runtime, (body) => {
      const message = parseMessage(body) ?? {};
      recorder.fromRuntime(message);
      if (holding) held.push(frameOf(body));
      else driver.write(frameOf(body));
      if (message.method === undefined && message.id !== undefined && message.id === sendId) injectAll();
    });
  };

  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    uri: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    traffic: recorder.traffic,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
