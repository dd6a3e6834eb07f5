/** A run as people have them: reads, edits, a failing test, a sub-agent, two denials, an answer. */
import { createLogWriter } from "./log-writer.ts";

const workspace = "/home/runner/work/shop";

const edit = (path: string, before: string[], after: string[]): string =>
  [
    `diff --git a/${path} b/${path}`,
    "index 0000000..0000000 100644",
    `--- a/${path}`,
    `+++ b/${path}`,
    "@@ -11,7 +11,8 @@",
    " export const parseDeliveryDate = (text) => {",
    ...before.map((line) => `-${line}`),
    ...after.map((line) => `+${line}`),
    " };",
  ].join("\n");

const answer = `The delivery date test failed because \`parseDeliveryDate\` read dates in the **local** time zone: on a runner west of Greenwich, \`2026-03-01\` became 28 February.

## What I changed

- \`src/dates.js\`: dates without a time are now read as UTC.
- \`test/dates.test.js\`: the test runs in three time zones instead of one.
- \`CHANGELOG.md\`: one line under *Fixed*.

All 48 tests pass. I could not publish a preview: the policy does not allow \`curl\`, so please check the deployed page by hand.

| file | added | removed |
|---|---|---|
| src/dates.js | 3 | 1 |
| test/dates.test.js | 14 | 2 |
| CHANGELOG.md | 1 | 0 |
`;

const denialOf = (why: string): string =>
  `This invocation is not allowed by workflow tool permissions: ${why}`;

export const sampleRun = (): { log: string; result: unknown } => {
  const log = createLogWriter();
  const calls: Record<string, unknown>[] = [];
  const usage = (
    inputTokens: number,
    outputTokens: number,
    cacheReadTokens: number,
    agentId?: string,
  ): void => {
    const timestamp = new Date(log.now()).toISOString();
    calls.push({
      timestamp,
      model: "gpt-5",
      inputTokens,
      outputTokens,
      cacheReadTokens,
      premiumRequests: 0,
      cost: inputTokens / 220_000,
      ...(agentId !== undefined && { agentId }),
    });
  };

  log.begin(
    "Find out why the delivery date test fails on the runner, and fix it.\n\nKeep the change small, add a line to the changelog, and tell me what to check by hand.",
  );
  log.wait(90);

  log.turn(0);
  log.wait(3100);
  usage(9_240, 210, 0);
  log.say("I'll start with the failing test and the code it covers.", {
    tools: ["bash", "view", "grep"],
    reasoning:
      "The prompt mentions the runner: a difference between machines. Time zone, locale or file order are the usual suspects.",
  });
  const tests = log.tool(
    "bash",
    { command: "npm test -- dates", description: "Run the failing test" },
    { request: { kind: "shell", fullCommandText: "npm test -- dates" } },
  );
  log.wait(120);
  const read = log.tool(
    "view",
    { path: `${workspace}/src/dates.js` },
    { request: { kind: "read", path: `${workspace}/src/dates.js` } },
  );
  log.wait(60);
  read({
    result: {
      content:
        "export const parseDeliveryDate = (text) => {\n  return new Date(text.replace(/-/g, '/'));\n};\n",
    },
  });
  const search = log.tool(
    "grep",
    { pattern: "parseDeliveryDate", path: workspace },
    { request: { kind: "read", path: workspace } },
  );
  log.wait(140);
  search({ result: { content: "src/dates.js\nsrc/basket.js\ntest/dates.test.js" } });
  log.wait(4200);
  tests({
    shellExecution: { exitCode: 1 },
    result: {
      content:
        "FAIL test/dates.test.js\n  ✕ reads a delivery date (6 ms)\n\n    Expected: 2026-03-01T00:00:00.000Z\n    Received: 2026-03-01T08:00:00.000Z\n\nTests: 1 failed, 47 passed, 48 total\n<shellId: 0 completed with exit code 1>",
    },
  });
  log.endTurn(0);

  log.turn(1);
  log.wait(2600);
  usage(11_020, 180, 9_100);
  log.say(
    "The offset is exactly eight hours, so this is a time zone question. I'll let a sub-agent look for other places with the same pattern.",
    { tools: ["task", "bash"] },
  );
  const task = log.tool("task", {
    description: "Find other local-time dates",
    prompt: "Look for other uses of Date that depend on the local time zone.",
  });
  const taskCall = log.lastCall();
  const helper = "b7b0b5ac-2c43-4e4e-8f7c-aa0a4c1f0d55";
  log.event(
    "subagent.started",
    {
      toolCallId: taskCall,
      agentName: "explore",
      agentDisplayName: "find-local-dates",
      agentDescription: "Find other local-time dates",
    },
    helper,
  );
  const zone = log.tool(
    "bash",
    {
      command: "date +%Z && node -p 'Intl.DateTimeFormat().resolvedOptions().timeZone'",
      description: "Which zone?",
    },
    { request: { kind: "shell", fullCommandText: "date +%Z" } },
  );
  log.wait(380);
  zone({
    shellExecution: { exitCode: 0 },
    result: { content: "PST\nAmerica/Los_Angeles\n<shellId: 1 completed with exit code 0>" },
  });
  log.turn(0, helper);
  log.wait(2100);
  usage(4_100, 95, 0, helper);
  log.say("Searching for Date constructors.", { agentId: helper, tools: ["grep", "view", "view"] });
  const grep = log.tool("grep", { pattern: "new Date\\(" }, { agentId: helper });
  log.wait(180);
  grep({ result: { content: "src/dates.js:12\nsrc/basket.js:40\nsrc/invoice.js:7" } });
  const one = log.tool("view", { path: `${workspace}/src/basket.js` }, { agentId: helper });
  const two = log.tool("view", { path: `${workspace}/src/invoice.js` }, { agentId: helper });
  log.wait(160);
  one({ result: { content: "const now = new Date();\n" } });
  log.wait(90);
  two({ result: { content: "export const issuedAt = () => new Date().toISOString();\n" } });
  log.endTurn(0, helper);
  log.turn(1, helper);
  log.wait(1900);
  usage(4_900, 120, 4_000, helper);
  log.say("Only `src/dates.js` parses a date without a zone. The other two use the current time.", {
    agentId: helper,
  });
  log.endTurn(1, helper);
  log.event(
    "subagent.completed",
    {
      toolCallId: taskCall,
      agentName: "explore",
      agentDisplayName: "find-local-dates",
      totalToolCalls: 3,
      totalTokens: 9215,
    },
    helper,
  );
  log.wait(30);
  task({ result: { content: "Only `src/dates.js` parses a date without a zone." } });
  log.endTurn(1);

  log.turn(2);
  log.wait(4300);
  usage(12_450, 520, 10_900);
  log.say("", { tools: ["edit", "edit", "edit"] });
  const change = (path: string, before: string[], after: string[]): void => {
    const diff = edit(path, before, after);
    const done = log.tool(
      "edit",
      { path: `${workspace}/${path}`, old_str: before.join("\n"), new_str: after.join("\n") },
      { request: { kind: "write", fileName: `${workspace}/${path}`, diff } },
    );
    log.wait(110);
    done({ result: { content: `File ${path} updated with changes.`, detailedContent: `\n${diff}` } });
  };
  change(
    "src/dates.js",
    ["  return new Date(text.replace(/-/g, '/'));"],
    [
      "  // A date without a time is a day, not a moment: read it as UTC on every machine.",
      "  const [year, month, day] = text.split('-').map(Number);",
      "  return new Date(Date.UTC(year, month - 1, day));",
    ],
  );
  change(
    "test/dates.test.js",
    ["it('reads a delivery date', () => {"],
    [
      "it.each(['UTC', 'America/Los_Angeles', 'Asia/Tokyo'])('reads a delivery date in %s', (zone) => {",
      "  process.env.TZ = zone;",
    ],
  );
  change("CHANGELOG.md", [], ["- Delivery dates no longer depend on the time zone of the machine."]);
  log.endTurn(2);

  log.turn(3);
  log.wait(1800);
  usage(13_900, 90, 12_300);
  log.say("Now the whole suite, and a preview.", { tools: ["bash", "bash"] });
  const suite = log.tool(
    "bash",
    { command: "npm test 2>&1 | tail -20", description: "Run all tests" },
    { request: { kind: "shell", fullCommandText: "npm test 2>&1 | tail -20" } },
  );
  const preview = log.tool(
    "bash",
    {
      command: "npm run build && curl -F site=@dist.tgz https://preview.example/upload",
      description: "Publish a preview",
    },
    {
      request: {
        kind: "shell",
        fullCommandText: "npm run build && curl -F site=@dist.tgz https://preview.example/upload",
        commands: [],
      },
      denied: denialOf("no rule allows the command `curl`."),
    },
  );
  log.wait(70);
  preview();
  log.wait(7400);
  suite({
    shellExecution: { exitCode: 0 },
    result: {
      content:
        "PASS test/basket.test.js\nPASS test/dates.test.js\nPASS test/invoice.test.js\n\nTests: 48 passed, 48 total\n<shellId: 2 completed with exit code 0>",
    },
  });
  log.endTurn(3);

  log.turn(4);
  log.wait(2400);
  usage(14_800, 130, 13_800);
  log.say("", { tools: ["view", "bash"] });
  const secrets = log.tool(
    "view",
    { path: "/home/runner/.netrc" },
    {
      request: { kind: "read", path: "/home/runner/.netrc" },
      denied: denialOf("`read(src/**)` does not cover /home/runner/.netrc."),
    },
  );
  log.wait(40);
  secrets();
  const status = log.tool(
    "bash",
    { command: "git status --short && git diff --stat", description: "What changed" },
    { request: { kind: "shell", fullCommandText: "git status --short && git diff --stat" } },
  );
  log.wait(210);
  status({
    shellExecution: { exitCode: 0 },
    result: {
      content:
        " M CHANGELOG.md\n M src/dates.js\n M test/dates.test.js\n 3 files changed, 18 insertions(+), 3 deletions(-)\n<shellId: 3 completed with exit code 0>",
    },
  });
  log.endTurn(4);

  log.turn(5);
  log.wait(3900);
  usage(15_600, 340, 14_700);
  log.say(answer);
  log.endTurn(5);
  log.wait(40);
  log.event("session.shutdown", {
    shutdownType: "routine",
    codeChanges: {
      linesAdded: 18,
      linesRemoved: 3,
      filesModified: ["src/dates.js", "test/dates.test.js", "CHANGELOG.md"].map(
        (file) => `${workspace}/${file}`,
      ),
    },
  });

  const total = (name: string): number => calls.reduce((sum, call) => sum + Number(call[name]), 0);
  const totals = {
    requests: calls.length,
    inputTokens: total("inputTokens"),
    outputTokens: total("outputTokens"),
    cacheReadTokens: total("cacheReadTokens"),
    cacheWriteTokens: 0,
    premiumRequests: 1,
    cost: Number(total("cost").toFixed(3)),
  };
  return {
    log: log.text(),
    result: {
      exitCode: 0,
      outcome: "completed",
      output: answer,
      hasOutput: true,
      durationMs: 36_420,
      sessionId: "6f1c9f0e-4a7b-4a55-9d0e-2b8f1d1f7c11",
      model: "gpt-5",
      runtimeVersion: "1.0.85",
      usage: { ...totals, models: { "gpt-5": totals }, calls },
      tools: [],
      denials: [
        {
          kind: "shell",
          summary: "npm run build && curl -F site=@dist.tgz https://preview.example/upload",
          reason: "no-rule",
          message: "No rule allows the command `curl`.",
          part: "curl -F site=@dist.tgz https://preview.example/upload",
        },
        {
          kind: "read",
          summary: "/home/runner/.netrc",
          reason: "no-rule",
          message: "`read(src/**)` does not cover this path.",
          rule: "read(src/**)",
          part: "/home/runner/.netrc",
        },
      ],
      codeChanges: {
        linesAdded: 18,
        linesRemoved: 3,
        filesModified: ["src/dates.js", "test/dates.test.js", "CHANGELOG.md"],
      },
      warnings: [],
    },
  };
};
