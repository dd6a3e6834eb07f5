/** A loopback proxy that passes everything on and keeps the model calls, as a recording run would. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Exchange } from "../../src/rehearsal/recorder.ts";

export type RecordingProxy = { url: string; exchanges: Exchange[]; close: () => Promise<void> };

export const startRecordingProxy = async (target: string): Promise<RecordingProxy> => {
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const sent = Buffer.concat(parts).toString("utf8");
      const { authorization = "", accept = "" } = request.headers;
      const answer = await fetch(target + request.url, {
        method: request.method ?? "GET",
        headers: { authorization, accept, "content-type": "application/json" },
        ...(sent && { body: sent }),
      });
      const body = await answer.text();
      const retryAfter = answer.headers.get("retry-after");
      if (request.url?.endsWith("/chat/completions"))
        exchanges.push({
          request: JSON.parse(sent) as unknown,
          status: answer.status,
          body,
          ...(retryAfter !== null && { retryAfter }),
        });
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "",
        ...(retryAfter !== null && { "retry-after": retryAfter }),
      });
      response.end(body.replaceAll(target, url));
    };
    pass().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
