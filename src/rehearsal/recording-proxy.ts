/** A loopback proxy before the model's service: passes everything on as it streams, and keeps the model calls. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Exchange } from "./recorder.ts";

export type RecordingProxy = {
  url: string;
  exchanges: Exchange[];
  /** Whether the model was called in a way that cannot be recorded. */
  missedSome: () => boolean;
  close: () => Promise<void>;
};

const modelCall = /\/(?:chat\/completions|messages)(?:\?|$)/;
const foreignCall = /\/responses(?:\?|$)/;
/** These speak of one connection, or of a body's form on the wire, and `fetch` makes its own. */
const hopByHop =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|content-encoding|keep-alive)$/;

const readAll = async (stream: AsyncIterable<unknown>): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString("utf8");
};

const passedOn = (headers: Iterable<[string, unknown]>): [string, string][] =>
  [...headers].filter(([name]) => !hopByHop.test(name)).map(([name, value]) => [name, String(value)]);

export const startRecordingProxy = async (target: string): Promise<RecordingProxy> => {
  const exchanges: Exchange[] = [];
  let missed = false;

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await readAll(request);
    if (foreignCall.test(request.url ?? "")) missed = true;
    const exchange: Exchange = { request: undefined, body: "" };
    if (modelCall.test(request.url ?? "")) {
      exchange.request = JSON.parse(sent);
      exchanges.push(exchange);
    }
    const answer = await fetch(target + request.url, {
      method: request.method ?? "GET",
      headers: {
        ...Object.fromEntries(passedOn(Object.entries(request.headers))),
        "accept-encoding": "identity",
      },
      ...(sent && { body: sent }),
    });
    exchange.status = answer.status;
    const retryAfter = answer.headers.get("retry-after");
    if (retryAfter !== null) exchange.retryAfter = retryAfter;
    response.writeHead(answer.status, Object.fromEntries(passedOn(answer.headers)));
    const decoder = new TextDecoder();
    for await (const part of answer.body ?? []) {
      const text = decoder.decode(part, { stream: true });
      exchange.body += text;
      // The service names itself as the place for further calls: those shall come here too.
      response.write(text.replaceAll(target, url));
    }
    response.end();
  };

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    exchanges,
    missedSome: () => missed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
