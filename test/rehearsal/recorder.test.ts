import { createRedactor } from "../../src/redact.ts";
import { anthropicMessages } from "../../src/rehearsal/anthropic-messages.ts";
import { chatCompletions } from "../../src/rehearsal/chat-completions.ts";
import { defaultScript } from "../../src/rehearsal/default-script.ts";
import { readReply } from "../../src/rehearsal/read-reply.ts";
import { recordRehearsal, type Exchange } from "../../src/rehearsal/recorder.ts";
import type { Turn } from "../../src/rehearsal/turn.ts";
import { writeScript } from "../../src/rehearsal/write-script.ts";
import { comparableLog, rehearsalOf, rehearse } from "../support/rehearse.ts";

const redactor = createRedactor(["the-held-secret"]);
const run = { prompt: "Go", workspace: "/tmp/place", redactor };

const turns: [string, Turn][] = [
  ["text", { text: "Grüße 👋\n\n- one\n- two" }],
  ["reasoning", { reasoning: "Hm, let me see", text: "Yes" }],
  [
    "tool calls",
    {
      toolCalls: [
        { name: "bash", arguments: { command: "echo 'a' | sort", list: [1, { deep: null }] } },
        { name: "list_bash", arguments: {} },
      ],
    },
  ],
  ["invalid arguments", { toolCalls: [{ name: "bash", arguments: "{not json" }] }],
  ["another end", { text: "Half", finishReason: "length" }],
];

const usage = { inputTokens: 40, outputTokens: 7, cachedTokens: 30 };

describe("readReply", () => {
  const dialects = [
    ["chat completions", chatCompletions],
    ["Anthropic's messages", anthropicMessages],
  ] as const;
  const cases = dialects.flatMap(([dialect, speak]) =>
    turns.map(([name, turn]) => [name, dialect, turn, speak] as const),
  );

  it.each(cases)("reads %s back from a stream of %s", (_, __, turn, dialect) => {
    const frames = dialect.frames({ turn: { ...turn, usage, pieces: 3 }, label: "1" }, "m");
    expect(readReply(frames.join(""))).toEqual({ turn: { ...turn, usage }, complete: true });
  });

  it.each(cases.filter(([name]) => name !== "invalid arguments"))(
    "reads %s back from a whole answer of %s",
    (_, __, turn, dialect) => {
      const body = JSON.stringify(dialect.whole({ turn: { ...turn, usage }, label: "1" }, "m"));
      expect(readReply(body)).toEqual({ turn: { ...turn, usage }, complete: true });
    },
  );

  it.each(["", "oops", "data: {", "data: [DONE]\n\n", "null", '{"choices": []}'])(
    "calls what has no end incomplete: %j",
    (body) => expect(readReply(body).complete).toBe(false),
  );
});

describe("writeScript", () => {
  it("writes what parseScript reads as the same rehearsal", () => {
    for (const source of [
      defaultScript,
      `allow: all
exitCode: 1
mcpServers: { one: { command: node, args: ["x y", "#z"] } }
steps:
  - { error: { status: 429, code: c, retryAfter: 2, times: 3 }, say: "- tricky: 'text'\\n", delay: 10ms }
  - { tool: task, with: { prompt: p }, steps: [{ say: a }, { hang: true }] }
  - { tool: bash, with: "{", firstByte: 1s, pieces: 2, pause: 5ms, cut: true, finish: length }`,
    ]) {
      const rehearsal = rehearsalOf(source);
      expect(rehearsalOf(writeScript(rehearsal))).toEqual(rehearsal);
    }
  });
});

describe("recordRehearsal", () => {
  const request = (assistantMessages: number, more: object[] = []) => ({
    messages: [
      { role: "user", content: "<current_datetime>x</current_datetime>\n\nGo" },
      ...Array.from({ length: assistantMessages }, () => ({ role: "assistant" })),
      ...more,
    ],
  });
  const answered = (number: number, turn: Turn, more: object[] = []): Exchange => ({
    request: request(number, more),
    status: 200,
    body: chatCompletions.frames({ turn, label: "1" }, "m").join(""),
  });
  const failed: Exchange = {
    request: request(0),
    status: 429,
    retryAfter: "3",
    body: '{"error":{"code":"busy","message":"Wait"}}',
  };
  const turnsOf = (exchanges: Exchange[]): readonly Turn[] => recordRehearsal(exchanges, run).turns;

  it("counts the failures that a turn got over", () => {
    expect(turnsOf([failed, failed, answered(0, { text: "Now", usage })])).toEqual([
      { error: { status: 429, code: "busy", message: "Wait", retryAfter: 3, times: 2 }, text: "Now", usage },
    ]);
  });

  it("lets an error last that no attempt got over", () => {
    expect(turnsOf([failed, failed])).toEqual([
      { error: { status: 429, code: "busy", message: "Wait", retryAfter: 3 } },
    ]);
  });

  it("knows a call that was never answered, and one that was cut", () => {
    expect(turnsOf([{ request: request(0), body: "" }])).toEqual([{ hang: true }]);
    const whole = answered(0, { text: "A long answer", pieces: 4 });
    expect(turnsOf([{ ...whole, body: whole.body.slice(0, 500) }])).toMatchObject([{ cut: true }]);
  });

  it("keeps neither secrets nor places", () => {
    const call = { name: "bash", arguments: { command: "cat /tmp/place/x the-held-secret" } };
    const text = writeScript(
      recordRehearsal([answered(0, { text: "ghp_abcdefghijklmnopqrstuv", toolCalls: [call] })], run),
    );
    expect(text).toContain("cat {{workspace}}/x [redacted]");
    expect(text).not.toMatch(/ghp_|the-held-secret|\/tmp\/place/);
    expect(rehearsalOf(text).turns[0]?.text).toBe("[redacted]");
  });

  it("looks an agent's id up again, since every run has new ones", () => {
    const id = "0a1b2c3d-0000-4000-8000-0123456789ab";
    const result = { role: "tool", content: `Agent started with agent_id: ${id}.` };
    const call = { name: "read_agent", arguments: { agent_id: id } };
    expect(turnsOf([answered(0, { toolCalls: [call] }, [result])])).toMatchObject([
      { toolCalls: [{ arguments: { agent_id: String.raw`{{result /agent_id: ([\w-]+)/}}` } }] },
    ]);
  });
});

describe("a recorded run", () => {
  it.each([
    ["the built-in script", defaultScript],
    [
      "sub-agents and failures",
      `
allow: [read]
files: { a.txt: hello }
steps:
  - error: { status: 429, code: rate_limited, retryAfter: 0, times: 1 }
    reasoning: First a scout.
    tool: task
    with: { agent_type: explore, name: scout, description: Look, prompt: Find the file }
    steps:
      - { tool: view, with: { path: "{{workspace}}/a.txt" } }
      - say: It is a.txt.
  - { tool: bash, with: { command: cat a.txt } }
  - { tool: bash, with: "{broken" }
  - { say: Half an answer, finish: content_filter }`,
    ],
  ])("plays again to the same events: %s", async (_, source) => {
    const original = rehearsalOf(source);
    const first = await rehearse(original);
    const { prompt, permissions, files } = original;
    const recorded = recordRehearsal(first.exchanges, {
      prompt,
      workspace: first.workspace,
      redactor,
      ...(permissions && { permissions }),
    });
    const second = await rehearse({ ...rehearsalOf(writeScript(recorded)), files });
    expect(comparableLog(second)).toEqual(comparableLog(first));
    expect(second.events.length).toBeGreaterThan(20);
  });
});
