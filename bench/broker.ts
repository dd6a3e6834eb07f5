/** The broker between client and provider: how much later the first byte comes, and the last of a long answer. */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { startBroker } from "../src/harness/broker.ts";
import { interleaved, median, rowOf, type Row } from "./measure.ts";

const pieces = 200;
const piece = `data: ${JSON.stringify({ choices: [{ delta: { content: "some words of an answer" } }] })}\n\n`;
/** About what a conversation of some length weighs. */
const body = JSON.stringify({ messages: [{ role: "user", content: "x".repeat(200_000) }], stream: true });

type Times = { first: number; last: number };

const ask = (url: string, headers: Record<string, string>, agent: Agent): Promise<Times> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    let first: number | undefined;
    const outgoing = request(url, { method: "POST", headers, agent }, (response) => {
      response.on("data", () => (first ??= performance.now() - start));
      response.on("end", () => resolve({ first: first ?? Infinity, last: performance.now() - start }));
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });

/** Client, broker and provider share one process and its one thread here, so this is more than a user waits. */
export const benchBroker = async (rounds = 200): Promise<Row[]> => {
  const upstream = createServer((incoming, response) => {
    incoming.resume().once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let count = 0; count < pieces; count += 1) response.write(piece);
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  const broker = await startBroker({ type: "openai", baseUrl, apiKey: "a-key" });
  const agent = new Agent({ keepAlive: true });
  const lasts: Record<"direct" | "brokered", number[]> = { direct: [], brokered: [] };
  const timed = async (way: keyof typeof lasts, url: string, headers: Record<string, string>) => {
    const { first, last } = await ask(`${url}/chat/completions`, headers, agent);
    lasts[way].push(last);
    return first;
  };
  try {
    const firsts = await interleaved(rounds, {
      direct: () => timed("direct", baseUrl, {}),
      brokered: () => timed("brokered", broker.url, broker.headers),
    });
    return [
      rowOf("broker: first byte, without it", firsts.direct),
      rowOf("broker: first byte, through it", firsts.brokered),
      {
        name: "broker: delay of the first byte",
        median: median(firsts.brokered) - median(firsts.direct),
        unit: "ms",
        limit: 5,
      },
      {
        name: "broker: delay of the last byte",
        median: median(lasts.brokered) - median(lasts.direct),
        unit: "ms",
      },
    ];
  } finally {
    agent.destroy();
    await broker.close();
    upstream.closeAllConnections();
    upstream.close();
  }
};
