/** GitHub's own MCP server, which every runtime asks for its read-only tools: here with one, before a scripted API. */
import { createServer, request as forward, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { mcpAnswerOf, userOf } from "../../src/rehearsal/copilot-api.ts";

const tool = {
  name: "get_me",
  description: "Says who is signed in",
  inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true },
};

const resultOf: Record<string, object> = {
  "tools/list": { tools: [tool] },
  "tools/call": { content: [{ type: "text", text: "what GitHub says" }] },
};

export const startGitHubTools = async (api: { url: string; environment: Record<string, string> }) => {
  const answerMcp = async (request: IncomingMessage): Promise<object | undefined> => {
    const message = JSON.parse(await text(request)) as { id?: unknown; method: string };
    const result = resultOf[message.method];
    return result ? { jsonrpc: "2.0", id: message.id, result } : mcpAnswerOf(message);
  };

  const server = createServer((request, response) => {
    const answer = (body: object | undefined): void => {
      response.writeHead(body ? 200 : 202, { "content-type": "application/json" });
      response.end(body && JSON.stringify(body));
    };
    const { method = "", url: path = "", headers } = request;
    if (path.startsWith("/copilot_internal/user")) return answer(userOf(url));
    if (method === "POST" && path.startsWith("/mcp")) return void answerMcp(request).then(answer);
    request.pipe(
      forward(api.url + path, { method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      }),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: { ...api.environment, COPILOT_API_URL: url, COPILOT_DEBUG_GITHUB_API_URL: url },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
