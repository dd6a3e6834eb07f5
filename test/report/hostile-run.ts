/** Text that tries to become markup or code, in every field that a model, a tool or a file name can fill. */
import type { Run } from "../../src/report/model.ts";
import { timelineOf } from "./timeline-of.ts";
import { createLogWriter } from "./log-writer.ts";

const js = "globalThis.pwned=1";

export const payloads: readonly string[] = [
  `<script>${js}</script>`,
  `</script><script>${js}</script>`,
  `"></script><script>${js}</script>`,
  `<!--<script>${js}</script>-->`,
  `<img src=x onerror="${js}">`,
  `"><img src=x onerror=${js}>`,
  `'><img src=x onerror='${js}'>`,
  `<svg onload=${js}>`,
  `<svg><script>${js}</script></svg>`,
  `<svg><animate onbegin=${js} attributeName=x dur=1s>`,
  `<iframe src="javascript:parent.pwned=1"></iframe>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<object data="javascript:pwned=1"></object>`,
  `<embed src="javascript:pwned=1">`,
  `<a href="javascript:${js}">pwned</a>`,
  `[pwned](javascript:${js})`,
  `![pwned](x" onerror="${js})`,
  `![pwned](https://evil.example/pixel.png)`,
  `<https://evil.example/pwned>`,
  `<style>@import url(https://evil.example/pwned.css)</style>`,
  `<link rel=stylesheet href=https://evil.example/pwned.css>`,
  `<base href=https://evil.example/pwned/>`,
  `<meta http-equiv=refresh content="0;url=https://evil.example/pwned">`,
  `<form action=https://evil.example/pwned><input autofocus onfocus=${js}></form>`,
  `<details open ontoggle=${js}><summary>pwned</summary></details>`,
  `<video><source onerror=${js}></video>`,
  `<math><mtext></p><mglyph><svg><mtext><textarea><a title="</textarea><img src=x onerror=${js}>">`,
  `<template><img src=x onerror=${js}></template><noscript><img src=x onerror=${js}></noscript>`,
  `javascript:${js}//pwned`,
  "${globalThis.pwned=1}",
  "{{constructor.constructor('globalThis.pwned=1')()}}",
  `\u2028${js}\u2029//pwned`,
  `\\u003cscript\\u003e${js}\\u003c/script\\u003e`,
  `";${js}//`,
  `url(https://evil.example/pwned)`,
  `}*{background:url(https://evil.example/pwned)}`,
  "```\n</pre><script>globalThis.pwned=1</script>\n```",
  `| a | b |\n|---|---|\n| <img src=x onerror=${js}> | [x](javascript:${js}) |`,
  "__proto__",
];

export const hostileRun = (text: string): Run => {
  const log = createLogWriter();
  const helper = `agent ${text}`;
  log.event("session.start", {
    sessionId: text,
    copilotVersion: text,
    selectedModel: text,
    context: { cwd: text },
  });
  log.event("user.message", { content: text });
  log.turn(0);
  log.wait(100);
  log.say(text, { tools: [text], reasoning: text });
  const request = { kind: "shell", fullCommandText: text, intention: text, diff: text };
  log.tool(
    text,
    { command: text, [text]: text },
    { request, denied: text },
  )({ error: { code: "denied", message: text } });
  const ran = log.tool("bash", { command: text }, { request });
  log.wait(50);
  ran({
    result: {
      content: text,
      detailedContent: `diff --git a/${text}\n+${text}\n-${text}`,
      structuredContent: { [text]: text },
      binaryResultsForLlm: [{ mimeType: text }],
    },
  });
  log.event("tool.execution_start", {
    toolCallId: "m",
    toolName: text,
    mcpServerName: text,
    mcpToolName: text,
    arguments: text,
  });
  log.event("permission.requested", { requestId: "p", permissionRequest: { kind: text, intention: text } });
  log.event("permission.completed", { requestId: "p", result: { kind: "denied", feedback: text } });
  log.event(
    "subagent.started",
    { toolCallId: "m", agentDisplayName: text, agentName: text, agentDescription: text },
    helper,
  );
  log.event("user.message", { content: text }, helper);
  log.turn(0, helper);
  log.say(text, { agentId: helper });
  log.event("subagent.failed", { toolCallId: "m", error: text }, helper);
  log.event("session.error", { errorType: text, message: text });
  log.event("model.call_failure", { errorMessage: text, statusCode: 500 });
  log.event("session.warning", { message: text });
  log.event(text, { [text]: text, message: text });
  log.event("abort", { reason: text });
  return timelineOf(log.text(), text, {
    exitCode: 1,
    outcome: text,
    errorKind: text,
    message: text,
    advice: text,
    warnings: [text],
    output: text,
    sessionId: text,
    model: text,
    runtimeVersion: text,
    usage: {
      inputTokens: 1,
      models: { [text]: { requests: 1, inputTokens: 10, outputTokens: 5, cost: 1 } },
      calls: [
        { timestamp: "2026-03-14T09:26:53.100Z", model: text, inputTokens: 10, outputTokens: 5, cost: 1 },
      ],
    },
    denials: [{ kind: "shell", summary: text, reason: text, message: text, part: text, rule: text }],
    expectations: [
      { text, ok: false },
      { text, ok: true },
    ],
    codeChanges: { linesAdded: 1, linesRemoved: 1, filesModified: [text] },
  });
};
