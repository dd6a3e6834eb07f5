import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { frameOf } from "../../src/conformance/frames.ts";
import { paceConnection } from "../../src/session/paced-connection.ts";

let server: Server;
let far: Socket;
let near: Socket;
beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  near = connect((server.address() as AddressInfo).port, "127.0.0.1");
  near.on("error", () => {});
  [far] = (await once(server, "connection")) as [Socket];
});
afterEach(() => {
  near.destroy();
  far.destroy();
  server.close();
});

const messages = Buffer.concat(Array.from({ length: 1000 }, (_, n) => frameOf(`{"n":${n}}`)));

it("hands on what has arrived before it tells that the connection broke", async () => {
  let lost = 0;
  const connection = paceConnection(near, () => lost++);
  let handedOn = 0;
  connection.on("data", (piece: Buffer) => (handedOn += piece.length));
  near.on("data", () => near.bytesRead === messages.length && near.destroy(new Error("broken")));
  far.write(messages);
  await once(connection, "close");
  expect({ handedOn, lost }).toEqual({ handedOn: messages.length, lost: 1 });
});

it("goes on handing on when a write fails", async () => {
  const connection = paceConnection(near, () => {});
  let handedOn = 0;
  connection.on("data", (piece: Buffer) => (handedOn += piece.length));
  near.on("data", () => near.bytesRead === messages.length && near.destroy());
  near.once("close", () => connection.write("too late"));
  far.write(messages);
  await once(connection, "close");
  expect(handedOn).toBe(messages.length);
});

it("is not lost when it was closed from this side", async () => {
  let lost = 0;
  const connection = paceConnection(near, () => lost++);
  connection.resume().end();
  await once(connection, "close");
  const destroyed = paceConnection(near, () => lost++);
  destroyed.destroy();
  await once(destroyed, "close");
  expect(lost).toBe(0);
});
