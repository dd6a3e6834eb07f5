/** What we assume of the SDK and the runtime. When one of these fails, a new version changed the ground under us. */
import { readFileSync } from "node:fs";
import { createConnection, Socket } from "node:net";
import { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import { startWorld, type World } from "../support/driver.ts";
import { runSession, denyAll } from "../support/runtime.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      toolCalls: [
        { name: "bash", arguments: { command: "git status && rm x", description: "x", mode: "sync" } },
      ],
    },
    { text: "Done." },
  ]);
});
afterAll(() => world.stop());

const client = (uri: string, connectionToken: string) =>
  new CopilotClient({ connection: RuntimeConnection.forUri(uri, { connectionToken }) });

it("the SDK is the version that this was observed on", () => {
  const manifest = fileURLToPath(
    new URL("../../node_modules/@github/copilot-sdk/package.json", import.meta.url),
  );
  expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({
    version: "1.0.14",
    copilotCliVersion: "1.0.85",
  });
});

it("a wrong token is refused with -32002", async () => {
  await expect(client(world.runtime.uri, "wrong").start()).rejects.toMatchObject({ code: -32002 });
});

it("the client has its socket as soon as it starts, and uses what stands in its place once it is connected", async () => {
  const connecting = client(world.runtime.uri, world.runtime.token) as unknown as {
    socket: unknown;
    start: () => Promise<void>;
    stop: () => Promise<unknown>;
  };
  const started = connecting.start();
  const { socket } = connecting;
  expect(socket).toBeInstanceOf(Socket);
  const between = Duplex.from({ readable: socket as Socket, writable: socket as Socket });
  connecting.socket = between;
  await started;
  expect(between.listenerCount("data")).toBe(1);
  await connecting.stop();
});

it("nothing listening is told by text only", async () => {
  await expect(client("127.0.0.1:1", "x").start()).rejects.toThrow(
    /Failed to connect to CLI server.*ECONNREFUSED/,
  );
});

it("a malformed URI throws in the constructor", () => {
  expect(() => client("no-port", "x")).toThrow(/Invalid/);
});

it("the runtime speaks LSP-framed JSON-RPC over plain TCP", async () => {
  const [host, port] = world.runtime.uri.split(":");
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "connect",
    params: { token: world.runtime.token },
  });
  const answer = await new Promise<string>((resolve) => {
    const socket = createConnection(Number(port), host, () =>
      socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`),
    );
    socket.once("data", (data: Buffer) => {
      resolve(data.toString());
      socket.destroy();
    });
  });
  expect(answer).toMatch(/^Content-Length: \d+/i);
  expect(answer).toContain('"protocolVersion":3');
});

it("a shell request carries the whole text as its one identifier, and segments beside it", async () => {
  const { events } = await runSession(world.runtime, { onPermissionRequest: denyAll });
  const requested = events.find(({ type }) => type === "permission.requested");
  expect(requested?.data).toMatchObject({
    permissionRequest: {
      kind: "shell",
      fullCommandText: "git status && rm x",
      commands: [{ identifier: "git status && rm x" }],
      commandSegments: [{ identifier: "git status" }, { identifier: "rm" }],
    },
  });
});

it("the final account comes with session.shutdown, most events are ephemeral, and a run ends with idle", async () => {
  const { events } = await runSession(world.runtime, { onPermissionRequest: denyAll });
  const types = events.map(({ type }) => type as string);
  expect(types).toContain("session.shutdown");
  expect(types).toContain("session.idle");
  expect(events.filter((event) => event.type === "assistant.usage").every((event) => event.ephemeral)).toBe(
    true,
  );
});

it("the runtime denies by itself when nobody answers permission requests", async () => {
  const { events } = await runSession(world.runtime, {});
  expect(events.find(({ type }) => type === "tool.execution_complete")?.data).toMatchObject({
    success: false,
    error: { code: "denied" },
  });
});

it("commands run in a Bash that is not interactive and expands no history", async () => {
  const command = 'echo "options: $-"';
  const own = await startWorld([
    { toolCalls: [{ name: "bash", arguments: { command, description: "x", mode: "sync" } }] },
    { text: "Done." },
  ]);
  try {
    const { events } = await own.run({ COPILOT_SDK_PERMISSIONS: '{"allowAllTools":true}' });
    const ended = events.find(({ type }) => type === "tool.execution_complete");
    const { content } = ended?.data["result"] as { content: string };
    const [, options = ""] = /options: (\w+)/.exec(content) ?? [];
    expect(options).toContain("c");
    expect(options).not.toMatch(/[iH]/);
  } finally {
    await own.stop();
  }
});
