import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { startBroker, type Broker } from "../../src/harness/broker.ts";
import type { Provider } from "../../src/harness/credentials.ts";

const key = "sk-canary-0123456789abcdef";

type Handler = Parameters<typeof createServer>[1];
let upstream: Server;
let broker: Broker;
let seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
let handler: Handler;

beforeEach(async () => {
  seen = [];
  handler = (_, response) => response.end("ok");
  upstream = await new Promise<Server>((resolve) => {
    const server = createServer((incoming, response) => {
      let body = "";
      incoming.on("data", (data: Buffer) => (body += data.toString("latin1")));
      incoming.on("end", () => {
        seen.push({
          method: incoming.method ?? "",
          url: incoming.url ?? "",
          headers: incoming.headers,
          body,
        });
        handler?.(incoming, response);
      });
    }).listen(0, "127.0.0.1", () => resolve(server));
  });
  broker = await start({});
});
afterEach(async () => {
  await broker.close();
  upstream.closeAllConnections();
  upstream.close();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const start = (changes: Partial<Provider>) =>
  startBroker({
    type: "openai",
    baseUrl: `http://127.0.0.1:${portOf(upstream)}/v1`,
    apiKey: key,
    ...changes,
  });

const pathOf = ({ url }: Broker): string => new URL(url).pathname.slice(1);
const ask = ({ url, headers }: Broker, path: string, options: RequestInit = {}) =>
  fetch(url + path, { ...options, headers: { ...headers, ...(options.headers as Record<string, string>) } });

describe("the broker", () => {
  it.each([
    ["openai", "authorization", `Bearer ${key}`],
    ["azure", "api-key", key],
    ["anthropic", "x-api-key", key],
  ] as const)(
    "adds the key as %s wants it, and drops what the caller sent in its place",
    async (type, name, value) => {
      const own = await start({ type });
      const headers = {
        authorization: "Bearer theirs",
        "api-key": "theirs",
        "x-api-key": "theirs",
        cookie: "c=1",
      };
      await ask(own, "/chat?a=b", { method: "POST", headers, body: "hello" });
      await own.close();
      expect(seen).toMatchObject([{ method: "POST", url: "/v1/chat?a=b", body: "hello" }]);
      expect(seen[0]?.headers[name]).toBe(value);
      expect(JSON.stringify(seen[0]?.headers)).not.toMatch(/theirs|c=1|broker/);
      expect(seen[0]?.headers.host).toBe(`127.0.0.1:${portOf(upstream)}`);
    },
  );

  it("answers nobody who does not know its path", async () => {
    const origin = new URL(broker.url).origin;
    const guesses = [
      "/",
      "/v1/chat",
      `/${"0".repeat(64)}/chat`,
      `/${pathOf(broker).slice(0, -1)}/chat`,
      `//${pathOf(broker)}/chat`,
    ];
    for (const guess of guesses)
      for (const headers of [{}, broker.headers]) {
        const response = await fetch(origin + guess, { headers });
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({ error: { message: "Not found.", type: "broker" } });
      }
    expect(seen).toEqual([]);
    expect(broker.requests()).toBe(0);
  });

  it("answers nobody who has only overheard its address, nor one with a wrong pass", async () => {
    expect((await fetch(`${broker.url}/chat`)).status).toBe(404);
    for (const name of Object.keys(broker.headers))
      expect((await fetch(`${broker.url}/chat`, { headers: { [name]: "0".repeat(64) } })).status).toBe(404);
    expect(seen).toEqual([]);
  });

  /** Sends what fetch would refuse or tidy up. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = "";
      const socket = connect(Number(new URL(broker.url).port), "127.0.0.1", () => socket.write(text));
      socket.on("data", (data) => (answer += data.toString()));
      socket.on("error", () => resolve(answer));
      socket.on("close", () => resolve(answer));
    });

  const passLine = () =>
    Object.entries(broker.headers)
      .map((header) => header.join(": "))
      .join("\r\n");

  it.each([
    ["an absolute address", () => `GET http://127.0.0.1:${portOf(upstream)}/${pathOf(broker)}/x HTTP/1.1`],
    ["CONNECT", () => "CONNECT 127.0.0.1:1 HTTP/1.1"],
    ["a path that climbs out of the base", () => `GET /${pathOf(broker)}/../../admin HTTP/1.1`],
    ["a path that climbs out, encoded", () => `GET /${pathOf(broker)}/%2e%2e/admin HTTP/1.1`],
    ["a path that only looks like the base", () => `GET /${pathOf(broker)}/../v10/x HTTP/1.1`],
  ])("is no open proxy: %s leads nowhere", async (_, line) => {
    const answer = await raw(`${line()}\r\nHost: evil.example\r\n${passLine()}\r\nConnection: close\r\n\r\n`);
    expect(answer).not.toMatch(/^HTTP\/1.1 200/);
    expect(seen).toEqual([]);
  });

  it("lets no second question ride in the body of a first", async () => {
    const second = "GET /admin HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const method of ["GET", "DELETE", "OPTIONS"])
      await raw(
        `${method} /${pathOf(broker)}/m HTTP/1.1\r\nHost: x\r\n${passLine()}\r\nConnection: close\r\n` +
          `Transfer-Encoding: chunked\r\n\r\n${second.length.toString(16)}\r\n${second}\r\n0\r\n\r\n`,
      );
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "/v1/m", second],
      ["DELETE", "/v1/m", second],
      ["OPTIONS", "/v1/m", second],
    ]);
  });

  it("keeps to itself what is meant for the next one only, both ways", async () => {
    handler = (_, response) => {
      response.writeHead(200, { connection: "close, X-Theirs", "x-theirs": "1", "x-other": "2" });
      response.end();
    };
    const answer = await raw(
      `GET /${pathOf(broker)}/m HTTP/1.1\r\nHost: x\r\n${passLine()}\r\nConnection: close, X-Ours\r\n` +
        "X-Ours: 1\r\nX-Other: 2\r\nProxy-Authorization: Basic eA==\r\nTE: trailers\r\n\r\n",
    );
    expect(seen[0]?.headers).toMatchObject({ "x-other": "2" });
    for (const name of ["x-ours", "proxy-authorization", "te"])
      expect(seen[0]?.headers).not.toHaveProperty(name);
    expect(answer).toContain("x-other: 2");
    expect(answer).not.toContain("x-theirs");
  });

  it("has patience with a question that takes long", async () => {
    const patience: number[] = [];
    const look = (message: unknown) =>
      void patience.push((message as { server: Server }).server.requestTimeout);
    subscribe("http.server.request.start", look);
    await ask(broker, "/chat");
    unsubscribe("http.server.request.start", look);
    // The broker's own, then that of the provider in this test.
    expect(patience).toEqual([0, 300_000]);
  });

  it.each([201, 401])(
    "passes a place that an answer with status %i names through as it is",
    async (status) => {
      handler = (_, response) => {
        response.writeHead(status, { location: "https://evil.example/" });
        response.end();
      };
      const response = await ask(broker, "/chat");
      expect(response.status).toBe(status);
      expect(response.headers.get("location")).toBe("https://evil.example/");
    },
  );

  it("passes an answer through that comes before the question was read", async () => {
    const hasty = createServer((_, response) => {
      response.writeHead(413, { connection: "close" });
      response.end("too large");
    }).listen(0, "127.0.0.1");
    await once(hasty, "listening");
    const own = await start({ baseUrl: `http://127.0.0.1:${portOf(hasty)}` });
    for (const size of [300_000, 3_000_000, 30_000_000]) {
      const response = await ask(own, "/chat", { method: "POST", body: Buffer.alloc(size) });
      expect([response.status, await response.text()]).toEqual([413, "too large"]);
    }
    await own.close();
    hasty.close();
  });

  it("passes errors of the provider through unchanged", async () => {
    handler = (_, response) => {
      response.writeHead(429, "Too Many", {
        "retry-after": "7",
        "x-request-id": "abc",
        "content-type": "application/json",
      });
      response.end('{"error":{"code":"rate_limited"}}');
    };
    const response = await ask(broker, "/chat", { method: "POST", body: "{}" });
    expect(response.status).toBe(429);
    expect(Object.fromEntries(response.headers)).toMatchObject({ "retry-after": "7", "x-request-id": "abc" });
    expect(await response.text()).toBe('{"error":{"code":"rate_limited"}}');
    expect(broker.retryAfterMs()).toBe(7_000);
    handler = (_, next) => next.end("ok");
    await ask(broker, "/chat");
    expect(broker.retryAfterMs()).toBeUndefined();
  });

  it("says so when the provider cannot be reached, and why, without its address or key", async () => {
    const own = await start({ baseUrl: "http://127.0.0.1:1/v1" });
    const response = await ask(own, "/chat");
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({
      error: { message: "The provider cannot be reached (ECONNREFUSED).", type: "broker" },
    });
    await own.close();
  });

  it("cuts the answer when the provider does", async () => {
    handler = (_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half");
      setTimeout(() => response.destroy(), 50);
    };
    const response = await ask(broker, "/chat");
    await expect(response.text()).rejects.toThrow();
  });

  it.each(["http://evil.example/v1/x", "//evil.example/v1/x", "/outside", "https://127.0.0.1/v1/x"])(
    "does not follow a redirect to %s",
    async (location) => {
      handler = (_, response) => {
        response.writeHead(307, { location });
        response.end();
      };
      const response = await ask(broker, "/chat", { redirect: "manual" });
      expect(response.status).toBe(502);
      expect(response.headers.get("location")).toBeNull();
    },
  );

  it("visits no other place that the provider redirects to, and names neither it nor the key", async () => {
    let visitors = 0;
    const other = createServer((_, response) => {
      visitors += 1;
      response.end("caught");
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const location = `http://127.0.0.1:${portOf(other)}/v1/chat`;
    handler = (_, response) => {
      response.writeHead(307, { location });
      response.end();
    };
    const response = await ask(broker, "/chat");
    expect(await response.json()).toEqual({
      error: {
        message: "The provider redirects to another place, which is not followed.",
        type: "broker",
      },
    });
    expect(visitors).toBe(0);
    other.close();
  });

  it("leads a redirect within the provider through itself", async () => {
    handler = (incoming, response) => {
      if (incoming.url === "/v1/new") return response.end("moved here");
      response.writeHead(307, { location: "/v1/new" });
      return response.end();
    };
    expect(await (await ask(broker, "/old")).text()).toBe("moved here");
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`, `Bearer ${key}`]);
    expect(broker.requests()).toBe(2);
  });

  it("hands on each piece as it comes, before the answer is complete", async () => {
    let finish = (): void => undefined;
    handler = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: first\n\n");
      finish = () => response.end("data: last\n\n");
    };
    const response = await ask(broker, "/chat", { method: "POST", body: "{}" });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe("data: first\n\n");
    finish();
    const last = await reader?.read();
    expect(Buffer.from(last?.value ?? []).toString()).toBe("data: last\n\n");
  });

  it("hands on each piece of a question as it comes, before it is complete", async () => {
    const arrived = new EventEmitter();
    const listener = createServer((incoming, response) => {
      incoming.setEncoding("utf8").on("data", (text: string) => arrived.emit("piece", text));
      incoming.on("end", () => response.end("heard"));
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const own = await start({ baseUrl: `http://127.0.0.1:${portOf(listener)}` });
    const outgoing = request(`${own.url}/chat`, { method: "POST", headers: own.headers });
    outgoing.write("first");
    expect(await once(arrived, "piece")).toEqual(["first"]);
    outgoing.end("last");
    expect(await once(arrived, "piece")).toEqual(["last"]);
    await once(outgoing, "response");
    await own.close();
    listener.close();
  });

  it("carries 300 MB without keeping them", async () => {
    const piece = Buffer.alloc(1024 * 1024, 1);
    const total = 300 * piece.length;
    handler = (_, response) => {
      let left = 300;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!response.write(piece)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    };
    const before = process.memoryUsage();
    let peak = 0;
    let received = 0;
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(
        `${broker.url}/chat`,
        { method: "POST", headers: broker.headers },
        (response) => {
          response.on("data", (data: Buffer) => {
            received += data.length;
            const { arrayBuffers, heapUsed } = process.memoryUsage();
            peak = Math.max(peak, arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed);
          });
          response.on("end", resolve);
        },
      );
      outgoing.on("error", reject);
      outgoing.end("go");
    });
    expect(received).toBe(total);
    // Kept, it would be all of it; what the garbage collector has not yet freed is far less.
    expect(peak).toBeLessThan(total / 2);
  });

  it("stops asking the provider when the caller has gone", async () => {
    const closed = new Promise<void>((resolve) => {
      handler = (_, response) => {
        response.writeHead(200);
        response.write("x");
        response.once("close", () => resolve());
      };
    });
    const leave = new AbortController();
    const response = await ask(broker, "/chat", { signal: leave.signal });
    expect(response.status).toBe(200);
    leave.abort();
    await closed;
  });
});
