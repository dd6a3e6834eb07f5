/** The connection handshake that an SDK client makes, alone: JSON-RPC in LSP frames over TCP. */
import { connect } from "node:net";
import { Failure } from "../errors.ts";

export type Handshake = { runtimeVersion: string | undefined };

type Answer = {
  result?: { version?: unknown };
  error?: { code?: unknown; message?: unknown };
};

const frame = (message: object): string => {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

const parseFrame = (received: Buffer): Answer | undefined => {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const length = Number(/Content-Length:\s*(\d+)/i.exec(received.toString("latin1", 0, end))?.[1]);
  const body = received.subarray(end + 4, end + 4 + length);
  return body.length < length ? undefined : (JSON.parse(body.toString("utf8")) as Answer);
};

const methodNotFound = -32601;

const judge = ({ result, error }: Answer): Handshake => {
  if (error?.code === methodNotFound)
    throw new Failure("protocol-mismatch", "The Copilot runtime is too old to check connection tokens.");
  if (error !== undefined)
    throw new Failure("connection", `The Copilot runtime refused the connection: ${String(error.message)}`);
  return { runtimeVersion: typeof result?.version === "string" ? result.version : undefined };
};

const longestAnswer = 1024 * 1024;

export const shakeHands = (port: number, token: string, signal: AbortSignal): Promise<Handshake> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", signal });
    let received = Buffer.alloc(0);
    const refuse = (what: string): void =>
      reject(new Failure("connection", `The Copilot runtime did not complete the handshake: ${what}`));
    socket.once("error", (error) => refuse(error.message));
    socket.once("close", () => refuse("it closed the connection"));
    socket.on("data", (data: Buffer) => {
      received = Buffer.concat([received, data]);
      try {
        const answer = parseFrame(received);
        if (answer !== undefined) resolve(judge(answer));
        else if (received.length <= longestAnswer) return;
      } catch (error) {
        reject(error instanceof Failure ? error : new Failure("connection", "Its answer is malformed."));
      }
      socket.destroy();
    });
    socket.write(frame({ jsonrpc: "2.0", id: 1, method: "connect", params: { token } }));
  });
