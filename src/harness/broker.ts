/** A loopback proxy to one provider that adds the API key on the way out, so that nobody else has to hold it. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { pipeline, Transform } from "node:stream";
import type { Provider } from "./credentials.ts";
import type { ParentEnvironment } from "./environment.ts";
import { parseUrl } from "../parse-url.ts";

export type Broker = {
  /** Stands in for the provider's base URL. Its random path is a secret, but the runtime quotes it in error messages. */
  url: string;
  /** What a request must carry beside: quoted nowhere. */
  headers: Record<string, string>;
  /** Whoever knows both may use the provider. */
  secrets: readonly string[];
  requests: () => number;
  /** How long the provider wants to be left alone, when that was its last word. */
  retryAfterMs: () => number | undefined;
  close: () => Promise<void>;
};

const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
const pass = "x-broker-pass";
const credentials = ["authorization", "api-key", "x-api-key", "cookie", pass];

const without = (headers: http.IncomingHttpHeaders, names: readonly string[]): http.IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** What is meant for the next one only: the usual names, and those that the sender declares to be such. */
const endToEnd = (headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders => {
  const declared = (headers.connection ?? "").toLowerCase().split(/[\s,]+/);
  return without(headers, [...hopByHop, ...declared]);
};

/** A question without a length is told in pieces, whatever its method: Node would write it out bare, as a second one. */
const framing = (headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders =>
  headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };

const isRedirect = (status = 0): boolean => status >= 300 && status < 400;

const credentialHeader = ({ type, apiKey }: Provider): Record<string, string> => {
  if (apiKey === undefined) return {};
  switch (type) {
    case "openai":
      return { authorization: `Bearer ${apiKey}` };
    case "azure":
      return { "api-key": apiKey };
    case "anthropic":
      return { "x-api-key": apiKey };
  }
};

/** Seconds or a date. */
const parseRetryAfter = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A code such as ENOTFOUND; the message would name the address. */
const reasonOf = ({ code = "" }: NodeJS.ErrnoException): string => {
  if (code === "ECONNRESET" || code === "EPIPE") return "The provider hung up.";
  return `The provider cannot be reached${/^\w+$/.test(code) ? ` (${code})` : ""}.`;
};

/** Each piece goes out when all that has come in is read: a write to who has hung up would lose what it said before. */
const afterReading = (): Transform =>
  new Transform({ transform: (piece, _, done) => void setImmediate(done, null, piece) });

const refuse = (response: http.ServerResponse, status: number, message: string): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "broker" } }));
};

export const startBroker = async (provider: Provider, parent: ParentEnvironment = {}): Promise<Broker> => {
  const base = new URL(provider.baseUrl);
  const basePath = base.pathname.replace(/\/+$/, "");
  const { request: send, Agent } = base.protocol === "https:" ? https : http;
  // Node 24.5 and later go through the proxy that the environment names; earlier ones go directly.
  const agent = new Agent({ keepAlive: true, proxyEnv: { ...parent } });
  const [pathSecret, passSecret] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
  const expected = digest(`${pathSecret} ${passSecret}`);
  let count = 0;
  let retryAfterMs: number | undefined;

  const isInside = ({ origin, pathname }: URL): boolean =>
    origin === base.origin && (pathname === basePath || pathname.startsWith(`${basePath}/`));

  /** The path behind the secret, resolved: it can neither leave the base path nor name another host. */
  const targetOf = ({ url: path = "", headers }: http.IncomingMessage): URL | undefined => {
    const [, given = "", rest = ""] = /^\/([^/?]*)(.*)$/s.exec(path) ?? [];
    if (!timingSafeEqual(digest(`${given} ${String(headers[pass])}`), expected)) return undefined;
    const target = new URL(base.origin + basePath + rest);
    return isInside(target) ? target : undefined;
  };

  /** A redirect within the provider leads through us again; any other would take the prompt elsewhere. */
  const redirected = (location: string, target: URL): string | undefined => {
    const next = parseUrl(location, target);
    return next && isInside(next) ? `${url}${next.pathname.slice(basePath.length)}${next.search}` : undefined;
  };

  const answer = (upstream: http.IncomingMessage, target: URL, response: http.ServerResponse): void => {
    retryAfterMs = parseRetryAfter(upstream.headers["retry-after"]);
    const headers = endToEnd(upstream.headers);
    const { location } = headers;
    if (location !== undefined && isRedirect(upstream.statusCode)) {
      const inside = redirected(location, target);
      if (inside === undefined) {
        upstream.destroy();
        return refuse(response, 502, "The provider redirects to another place, which is not followed.");
      }
      headers.location = inside;
    }
    response.writeHead(upstream.statusCode ?? 502, headers);
    response.flushHeaders();
    pipeline(upstream, response, () => undefined);
  };

  const forward = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const target = targetOf(request);
    if (target === undefined) return refuse(response, 404, "Not found.");
    count += 1;
    const upstream = send(target, {
      agent,
      method: request.method,
      headers: {
        ...without(endToEnd(request.headers), [...credentials, "host"]),
        ...framing(request.headers),
        ...credentialHeader(provider),
      },
    });
    upstream.setNoDelay(true);
    const question = request.pipe(afterReading());
    let answered = false;
    upstream.once("response", (incoming) => {
      answered = true;
      // Whoever refuses a question need not have read it, and may hang up.
      if (Number(incoming.statusCode) >= 400) question.unpipe(upstream).resume();
      answer(incoming, target, response);
    });
    upstream.on("error", (error) => {
      if (!answered) refuse(response, 502, reasonOf(error));
    });
    upstream.once("close", () => question.resume());
    response.once("close", () => upstream.destroy());
    question.pipe(upstream);
  };

  const server = http.createServer({ noDelay: true }, forward);
  // A model may think for longer than Node's default patience.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${pathSecret}`;

  return {
    url,
    headers: { [pass]: passSecret },
    secrets: [pathSecret, passSecret],
    requests: () => count,
    retryAfterMs: () => retryAfterMs,
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
