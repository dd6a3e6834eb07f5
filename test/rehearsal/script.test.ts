import { readFileSync } from "node:fs";
import { defaultScript } from "../../src/rehearsal/default-script.ts";
import { describeMistakes, parseScript } from "../../src/rehearsal/script.ts";

const rehearsalOf = (source: string) => {
  const parsed = parseScript(source);
  if (parsed.kind === "mistakes") throw new Error(describeMistakes("script.yml", parsed.mistakes));
  return parsed.rehearsal;
};

const mistakesOf = (source: string): string[] => {
  const parsed = parseScript(source);
  return parsed.kind === "mistakes" ? describeMistakes("s.yml", parsed.mistakes).split("\n") : [];
};

describe("parseScript", () => {
  it("turns every key into what the scripted model does", () => {
    expect(
      rehearsalOf(`
name: Everything
prompt: Go
model: m
allow: [read, "shell(git status)"]
files: { a/b.txt: hello }
mcpServers: { fixture: { command: node, args: [server.mjs] } }
exitCode: 3
steps:
  - say: Hello
    reasoning: Hm
    tool: task
    with: { prompt: Look, depth: 2, deep: true, list: [1, null] }
    expect: denied
    steps:
      - say: Found
    usage: { input: 5, output: 2, cached: 1 }
    finish: length
    delay: 250ms
    firstByte: 1.5s
    pieces: 3
    pause: 1m
    cut: true
  - tools:
      - { tool: bash, with: "{broken", expect: approved }
      - { tool: list_bash }
    error: { status: 429, code: c, message: m, retryAfter: 2, times: 1 }
  - hang: true
`),
    ).toEqual({
      name: "Everything",
      prompt: "Go",
      model: "m",
      permissions: { allowedTools: ["read", "shell(git status)"] },
      files: { "a/b.txt": "hello" },
      mcpServers: { fixture: { command: "node", args: ["server.mjs"] } },
      exitCode: 3,
      turns: [
        {
          text: "Hello",
          reasoning: "Hm",
          toolCalls: [
            {
              name: "task",
              arguments: { prompt: "Look", depth: 2, deep: true, list: [1, null] },
              expect: "denied",
              turns: [{ text: "Found" }],
            },
          ],
          usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 1 },
          finishReason: "length",
          delayMs: 250,
          firstByteMs: 1500,
          pieces: 3,
          pauseMs: 60_000,
          cut: true,
        },
        {
          toolCalls: [
            { name: "bash", arguments: "{broken", expect: "approved" },
            { name: "list_bash", arguments: {} },
          ],
          error: { status: 429, code: "c", message: "m", retryAfter: 2, times: 1 },
        },
        { hang: true },
      ],
    });
  });

  it("knows allow-all, a list, and no policy apart", () => {
    expect(rehearsalOf("allow: all\nsteps: [{say: x}]").permissions).toEqual({ allowAllTools: true });
    expect(rehearsalOf("allow: []\nsteps: [{say: x}]").permissions).toEqual({ allowedTools: [] });
    expect(rehearsalOf("steps: [{say: x}]")).not.toHaveProperty("permissions");
  });

  it("names every mistake at once, with line and column", () => {
    expect(
      mistakesOf(`nmae: x
prompt: 5
allow: everything
files:
  /etc/passwd: x
  ../up: x
  a: x
  a/b: x
steps:
  - say: [no]
    usage: { input: 1 }
  - tool: bash
    tools: [{ with: {} }]
    delay: 5
  - expect: denied
  - error: { status: 200 }
    pieces: 0
    hang: yes
  - tool: view
    with: 5
    expect: maybe
  - { tool: read_agent, with: { agent_id: "{{result /(/}}" } }
  - { tool: task, with: {}, steps: [{ say: x }] }
  - just text
exitCode: 300
`),
    ).toEqual([
      "s.yml:1:1: The script has no key “nmae”: did you mean “name”?",
      "s.yml:2:9: “prompt” must be text.",
      "s.yml:3:8: “allow”, if not a list of rules, must be “all”.",
      "s.yml:5:3: “/etc/passwd” must be a path inside the workspace, with forward slashes.",
      "s.yml:5:3: “files” has “a” as a file and as a folder.",
      "s.yml:6:3: “../up” must be a path inside the workspace, with forward slashes.",
      "s.yml:10:10: “say” must be text.",
      "s.yml:11:12: “usage” needs “output”.",
      "s.yml:12:5: Entry 2 of “steps” has “tool” and “tools”: list every call under “tools”.",
      "s.yml:13:13: Entry 1 of “tools” needs “tool”.",
      "s.yml:14:12: “delay” must be a time such as 250ms, 2s or 1m.",
      "s.yml:15:5: Entry 3 of “steps” has “expect” but no “tool” that it belongs to.",
      "s.yml:16:22: “status” must be a whole number from 400 to 599.",
      "s.yml:17:13: “pieces” must be a whole number of at least 1.",
      "s.yml:18:11: “hang” must be true or false.",
      "s.yml:20:5: “with” must be a mapping of arguments, or text that is sent as it is.",
      "s.yml:21:13: “expect” must be “approved” or “denied”.",
      "s.yml:22:5: Entry 6 of “steps” has a “{{result /(/}}” that is not a regular expression.",
      "s.yml:23:5: Entry 7 of “steps” has “steps” for a sub-agent, but no “with.prompt” to know it by.",
      "s.yml:24:5: Entry 8 of “steps” must be a mapping of keys to values.",
      "s.yml:25:11: “exitCode” must be a whole number from 0 to 255.",
    ]);
  });

  it.each([
    ["an empty file", "", "s.yml:1:1: The script must be a mapping of keys to values."],
    ["no steps", "name: x", "s.yml:1:1: The script needs “steps”."],
    ["empty steps", "steps: []", "s.yml:1:8: “steps” must be a list that is not empty."],
    [
      "a step without value",
      "steps:\n  -\n",
      "s.yml:2:4: Entry 1 of “steps” must be a mapping of keys to values.",
    ],
    ["an alias", "steps: [{tool: x, with: &a {b: 1}}, {tool: x, with: *a}]", /s\.yml:1:53: .*aliases/],
    ["broken YAML", "steps: [", /^s\.yml:1:9: /],
    ["a key given twice", "steps: [{say: x}]\nsteps: [{say: y}]", /^s\.yml:2:1: .*unique/],
    ["endless nesting", `steps: ${"[".repeat(20_000)}`, /^s\.yml:\d+:\d+: /],
    [
      "another key's prototype",
      "__proto__: x\nsteps: [{say: x}]",
      /^s\.yml:1:1: The script has no key “__proto__”/,
    ],
  ])("refuses %s", (_, source, message) => {
    const [first] = mistakesOf(source);
    if (typeof message === "string") expect(first).toBe(message);
    else expect(first).toMatch(message);
  });

  it("reads the built-in script", () => {
    expect(rehearsalOf(defaultScript).turns.length).toBeGreaterThan(3);
  });

  it("reads every example of the documentation", () => {
    const page = readFileSync(new URL("../../docs/rehearsal.md", import.meta.url), "utf8");
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, source = ""]) => source);
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) rehearsalOf(example);
  });
});
