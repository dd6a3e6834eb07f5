import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import type { Script } from "../../src/rehearsal/turn.ts";
import { approveAll, runSession, startRuntime, type Observed } from "../support/runtime.ts";

type SessionOptions = Parameters<typeof runSession>[1];

const withApi = async <T>(script: Script, use: (api: ScriptedApi) => Promise<T>): Promise<T> => {
  const api = await startScriptedApi(script);
  try {
    return await use(api);
  } finally {
    await api.close();
  }
};

const rehearse = (script: Script, options: SessionOptions = {}): Promise<Observed & { api: ScriptedApi }> =>
  withApi(script, async (api) => {
    const runtime = await startRuntime(api.environment);
    try {
      const observed = await runSession(runtime, {
        model: api.model,
        onPermissionRequest: approveAll,
        ...options,
      });
      return { ...observed, api };
    } finally {
      await runtime.stop();
    }
  });

const ask = (api: ScriptedApi, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${api.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer anything" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });

const conversation = (assistantMessages: number) => [
  { role: "user", content: "Go" },
  ...Array.from({ length: assistantMessages }, () => ({ role: "assistant", content: "…" })),
];

const dataOf = (events: Observed["events"], type: string): unknown[] =>
  events.filter((event) => event.type === type).map((event) => event.data);

describe("the scripted API behind the real runtime", () => {
  it("plays tool calls, reasoning and an answer, in pieces", async () => {
    const { events, error } = await rehearse({
      turns: [
        {
          reasoning: "Let me look",
          pieces: 3,
          toolCalls: [
            { name: "bash", arguments: { command: "echo one", description: "Say one", mode: "sync" } },
            { name: "glob", arguments: { pattern: "*" } },
          ],
        },
        {
          text: "Grüße 👋 done",
          pieces: 4,
          usage: { inputTokens: 11, outputTokens: 7, cachedTokens: 3 },
        },
      ],
    });
    expect(error).toBeUndefined();
    expect(dataOf(events, "assistant.reasoning")).toMatchObject([{ content: "Let me look" }]);
    expect(dataOf(events, "tool.execution_start")).toMatchObject([
      { toolName: "bash" },
      { toolName: "glob" },
    ]);
    expect(dataOf(events, "assistant.message_delta").length).toBeGreaterThan(2);
    expect(dataOf(events, "assistant.message").at(-1)).toMatchObject({ content: "Grüße 👋 done" });
    expect(dataOf(events, "assistant.usage").at(-1)).toMatchObject({
      inputTokens: 11,
      outputTokens: 7,
      cacheReadTokens: 3,
    });
  });

  it("satisfies the built-in MCP server and needs no other host", async () => {
    const { events, api } = await rehearse({ turns: [{ text: "Done" }] });
    expect(dataOf(events, "session.mcp_servers_loaded")).toMatchObject([
      { servers: [{ name: "github-mcp-server", status: "connected" }] },
    ]);
    expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toContain("POST /chat/completions");
  });

  it("fails as often as scripted before a turn succeeds", async () => {
    const { events, error, api } = await rehearse({
      turns: [{ error: { status: 429, code: "rate_limited", retryAfter: 1, times: 1 }, text: "At last" }],
    });
    expect(error).toBeUndefined();
    expect(dataOf(events, "assistant.message")).toMatchObject([{ content: "At last" }]);
    expect(api.requests.filter(({ path }) => path === "/chat/completions")).toHaveLength(2);
  });

  it("gives the status and code of a lasting error to the session", async () => {
    const { events, error } = await rehearse({
      turns: [{ error: { status: 402, code: "quota_exceeded", message: "No more" } }],
    });
    expect(error?.message).toContain("No more");
    expect(dataOf(events, "session.error")).toMatchObject([
      { errorType: "quota", statusCode: 402, errorCode: "quota_exceeded" },
    ]);
  });

  it("lets a sub-agent play turns of its own", async () => {
    const { events, error } = await rehearse({
      turns: [
        {
          toolCalls: [
            {
              name: "task",
              arguments: {
                agent_type: "explore",
                name: "scout",
                description: "Look",
                prompt: "Find the file",
              },
              turns: [
                { toolCalls: [{ name: "glob", arguments: { pattern: "*" } }] },
                { text: "Nothing there" },
              ],
            },
          ],
        },
        { text: "All done" },
      ],
    });
    expect(error).toBeUndefined();
    expect(dataOf(events, "assistant.message").map((data) => (data as { content: string }).content)).toEqual([
      "",
      "",
      "Nothing there",
      "All done",
    ]);
    expect(dataOf(events, "tool.execution_complete")).toMatchObject([
      { toolCallId: "call_1_1_1_1", success: true },
      { toolCallId: "call_1_1", success: true, result: { content: "Nothing there" } },
    ]);
  });

  it.each(["openai", "anthropic"] as const)(
    "serves as an %s-compatible provider without any GitHub token",
    async (type) => {
      const script: Script = {
        turns: [
          {
            reasoning: "Let me look",
            pieces: 2,
            toolCalls: [{ name: "bash", arguments: { command: "echo one", description: "Say one" } }],
          },
          {
            text: "From the provider",
            pieces: 2,
            usage: { inputTokens: 9, outputTokens: 4, cachedTokens: 2 },
          },
        ],
      };
      const { events, error } = await withApi(script, async (api) => {
        const runtime = await startRuntime({ HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" });
        try {
          return await runSession(runtime, {
            model: api.model,
            onPermissionRequest: approveAll,
            provider: { type, baseUrl: type === "openai" ? `${api.url}/v1` : api.url, apiKey: "anything" },
          });
        } finally {
          await runtime.stop();
        }
      });
      expect(error).toBeUndefined();
      expect(dataOf(events, "assistant.reasoning")).toMatchObject([{ content: "Let me look" }]);
      expect(dataOf(events, "tool.execution_complete")).toMatchObject([{ success: true }]);
      expect(dataOf(events, "assistant.message").at(-1)).toMatchObject({ content: "From the provider" });
      expect(dataOf(events, "assistant.usage").at(-1)).toMatchObject({
        inputTokens: 9,
        outputTokens: 4,
        cacheReadTokens: 2,
      });
    },
  );
});

describe("the scripted API on its own", () => {
  it("chooses the turn by the number of assistant messages, in any order", () =>
    withApi({ turns: [{ text: "first" }, { text: "second" }] }, async (api) => {
      const contents = [];
      for (const count of [1, 0, 1, 7]) {
        const response = await ask(api, { messages: conversation(count) });
        const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
        contents.push(choices[0]?.message.content);
      }
      expect(contents).toEqual(["second", "first", "second", "The script has no more turns."]);
    }));

  it("tells conversations apart by their prompts, also those that are added later", () => {
    const conversations = [{ prompt: "Go", turns: [{ text: "gone" }] }];
    return withApi({ turns: [{ text: "other" }], conversations }, async (api) => {
      const answerTo = async (content: string) =>
        (await ask(api, { messages: [{ role: "user", content }] })).text();
      expect(await answerTo("12:00 Go")).toContain("gone");
      expect(await answerTo("Stay")).toContain("other");
      conversations.push({ prompt: "Stay", turns: [{ text: "stayed" }] });
      expect(await answerTo("Stay")).toContain("stayed");
    });
  });

  it("sends arguments that are text as they are", () =>
    withApi({ turns: [{ toolCalls: [{ name: "bash", arguments: "{not json" }] }] }, async (api) => {
      const response = await ask(api, { messages: [], stream: true });
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      const text = await response.text();
      expect(text).toContain(String.raw`"arguments":"{not json"`);
      expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
    }));

  it("cuts the connection mid-stream", () =>
    withApi({ turns: [{ text: "a long answer", pieces: 5, cut: true }] }, async (api) => {
      const response = await ask(api, { messages: [], stream: true });
      await expect(response.text()).rejects.toThrow();
    }));

  it("sends headers at once when only the first byte is slow", () =>
    withApi({ turns: [{ text: "late", firstByteMs: 60_000 }] }, async (api) => {
      const response = await ask(api, { messages: [], stream: true });
      expect(response.status).toBe(200);
    }));

  it("never answers a hang, and lets go of it when closed", async () => {
    const api = await startScriptedApi({ turns: [{ hang: true }] });
    const pending = ask(api, { messages: [] });
    const outcome = expect(pending).rejects.toThrow();
    while (api.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await api.close();
    await outcome;
  });

  it("answers what is not JSON, or not known, as a server would", () =>
    withApi({ turns: [] }, async (api) => {
      expect((await ask(api, "{")).status).toBe(400);
      expect((await fetch(`${api.url}/copilot_internal/managed_settings`)).status).toBe(404);
    }));

  it("remembers the latest requests only", () =>
    withApi({ turns: [{ text: "ok" }] }, async (api) => {
      for (let count = 0; count < 1005; count++) await fetch(`${api.url}/models?count=${count}`);
      expect(api.requests).toHaveLength(1000);
    }));
});
