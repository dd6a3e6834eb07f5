/** A loopback Copilot API, and OpenAI- or Anthropic-compatible provider, whose model follows a script. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { mcpAnswerOf, modelsOf, userOf } from "./copilot-api.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { chatCompletions } from "./chat-completions.ts";
import { chooseTurn, type ChosenTurn } from "./choose-turn.ts";
import type { Dialect } from "./dialect.ts";
import type { ModelError, Script, Turn } from "./turn.ts";

export type RecordedRequest = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
};

export type ScriptedApi = {
  url: string;
  /** What a sidecar needs to talk to this server and to nothing else. */
  environment: Record<string, string>;
  model: string;
  /** The latest requests; the oldest are dropped before they fill the memory. */
  requests: RecordedRequest[];
  close: () => Promise<void>;
};

const dialects: Record<string, Dialect> = {
  "POST /chat/completions": chatCompletions,
  "POST /messages": anthropicMessages,
};
const rememberedRequests = 1000;
const rememberedBytes = 64 * 1024 * 1024;

const readText = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const answer = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};

const answerError = (response: ServerResponse, { status, code, message, retryAfter }: ModelError): void => {
  const text = message ?? `The script answers ${status} here.`;
  answer(
    response,
    status,
    { error: { message: text, ...(code !== undefined && { code }) } },
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
  );
};

/** Settles early when the other side goes away, so that no timer outlives its request. */
const pause = async (response: ServerResponse, ms: number | undefined): Promise<void> => {
  if (!ms || response.destroyed) return;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once("close", leave);
  await wait(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  response.off("close", leave);
};

/** Waits until the other side has taken what was written, or has gone. */
const write = (response: ServerResponse, text: string): Promise<void> =>
  new Promise((resolve) => {
    response.write(text, () => resolve());
  });

const stream = async (response: ServerResponse, turn: Turn, frames: readonly string[]): Promise<void> => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  await pause(response, turn.firstByteMs);
  const sent = turn.cut ? frames.slice(0, Math.ceil(frames.length / 2)) : frames;
  for (const [index, frame] of sent.entries()) {
    if (index > 0) await pause(response, turn.pauseMs);
    if (response.destroyed) return;
    await write(response, frame);
  }
  if (turn.cut) response.destroy();
  else response.end();
};

type ModelRequest = { messages?: unknown; stream?: unknown };

export const startScriptedApi = async (script: Script): Promise<ScriptedApi> => {
  const model = script.model ?? "rehearsal";
  const requests: RecordedRequest[] = [];
  const sizes: number[] = [];
  let held = 0;
  const failures = new Map<string, number>();

  const remember = (request: RecordedRequest, size: number): void => {
    requests.push(request);
    sizes.push(size);
    held += size;
    while (requests.length > rememberedRequests || (held > rememberedBytes && requests.length > 1)) {
      requests.shift();
      held -= sizes.shift() ?? 0;
    }
  };

  const failureOf = ({ turn, label }: ChosenTurn): ModelError | undefined => {
    const failed = failures.get(label) ?? 0;
    failures.set(label, failed + 1);
    return failed < (turn.error?.times ?? Infinity) ? turn.error : undefined;
  };

  const play = async (response: ServerResponse, body: ModelRequest, dialect: Dialect): Promise<void> => {
    const chosen = chooseTurn(script, body.messages);
    const { turn } = chosen;
    if (turn.hang) return;
    await pause(response, turn.delayMs);
    if (response.destroyed) return;
    const failure = failureOf(chosen);
    if (failure) answerError(response, failure);
    else if (body.stream === true) await stream(response, turn, dialect.frames(chosen, model));
    else answer(response, 200, dialect.whole(chosen, model));
  };

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? "";
    const path = (request.url ?? "").replace(/\?.*$/, "");
    const text = await readText(request);
    const body = parse(text);
    remember({ method, path, headers: request.headers, body }, text.length);
    const known = `${method} ${path.replace(/^\/v1\//, "/").replace(/^\/mcp\/.*/, "/mcp")}`;
    if (known === "GET /copilot_internal/user") return answer(response, 200, userOf(url));
    if (known === "GET /models") return answer(response, 200, modelsOf(model));
    const dialect = dialects[known];
    if (!dialect && known !== "POST /mcp") return answer(response, 404, { message: "Not Found" });
    if (body === null || typeof body !== "object")
      return answerError(response, { status: 400, message: "The request is not a JSON object." });
    if (dialect) return play(response, body, dialect);
    const reply = mcpAnswerOf(body);
    if (reply) answer(response, 200, reply);
    else response.writeHead(202).end();
  };

  const server = createServer((request, response) => {
    route(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    model,
    requests,
    environment: {
      COPILOT_API_URL: url,
      COPILOT_DEBUG_GITHUB_API_URL: url,
      COPILOT_GITHUB_TOKEN: "gho_rehearsal",
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1",
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
