/** The model's service breaks, behind the real runtime. */
import type { ModelError, Turn } from "../../src/rehearsal/turn.ts";
import { fault, survived, type Fault } from "./fault.ts";
import { allowAll, bash, onRuntime, permissions, stallAfter, timeOutAfter } from "./stages.ts";

const failing = (error: ModelError): Turn[] => [{ text: "The answer.", error }];
const impatient = { environment: timeOutAfter(6_000) };
const done: Turn = { text: "The answer." };
const manyCalls = (command: string): Turn => ({
  toolCalls: Array.from({ length: 500 }, (_, n) => ({
    name: "bash",
    arguments: { command: `${command} ${n}`, description: "x", mode: "sync" },
  })),
});
const denying = { environment: permissions({ allowedTools: ["read"] }) };

// prettier-ignore
export const modelFaults: readonly Fault[] = [
  fault("the model answers 400", onRuntime(failing({ status: 400 })), 1, "unknown", 10),
  fault("the model answers 401", onRuntime(failing({ status: 401, retryAfter: 0 })), 1, "authentication", 15),
  fault("the model answers 402", onRuntime(failing({ status: 402 })), 1, "quota", 15),
  fault("the model answers 403", onRuntime(failing({ status: 403 })), 1, "authentication", 15),
  fault("the model answers 413", onRuntime(failing({ status: 413 })), 1, "context-length", 15),
  fault("the model answers 429 with Retry-After", onRuntime(failing({ status: 429, retryAfter: 0 })), 1, "rate-limit", 30),
  fault("the model answers 429 without Retry-After", onRuntime(failing({ status: 429 }), impatient), [1, 124], ["rate-limit", "timeout"], 30),
  fault("the model answers 429, come back in an hour", onRuntime(failing({ status: 429, retryAfter: 3600 }), impatient), [1, 124], ["rate-limit", "timeout"], 30),
  fault("the model answers 500 for ever", onRuntime(failing({ status: 500 }), impatient), [1, 124], ["unknown", "timeout"], 30),
  survived("the model answers 500 once", onRuntime(failing({ status: 500, times: 1 })), 20),
  survived("the first byte takes three seconds", onRuntime([{ ...done, firstByteMs: 3_000 }]), 15),
  survived("the answer dribbles in", onRuntime([{ text: "word ".repeat(200), pieces: 100, pauseMs: 20 }]), 20),
  fault("every stream stops in the middle", onRuntime([{ text: "word ".repeat(200), pieces: 20, cut: true }]), 1, "unknown", 30),
  fault("the stream stops in the middle and stays open", onRuntime([{ text: "word ".repeat(200), pieces: 4, pauseMs: 600_000 }], { environment: stallAfter(2_000) }), 124, "stalled", 20),
  fault("the model never answers", onRuntime([{ hang: true }], { environment: timeOutAfter(1_500) }), 124, "timeout", 20),
  fault("the model falls silent after a tool", onRuntime([bash("true"), { hang: true }], { environment: { ...allowAll, ...stallAfter(2_000) } }), 124, "stalled", 25),
  fault("the answer is empty", onRuntime([{ text: "" }]), 1, "empty-answer", 10),
  survived("tool arguments are not JSON", onRuntime([{ toolCalls: [{ name: "bash", arguments: "{not json" }] }, done], { environment: allowAll }), 12),
  survived("the tool does not exist", onRuntime([{ toolCalls: [{ name: "no_such_tool", arguments: {} }] }, done], { environment: allowAll }), 12),
  survived("500 tool calls in one turn, all denied", onRuntime([manyCalls("rm"), done], denying), 90),
  survived("500 tool calls in one turn, all run", onRuntime([manyCalls("echo"), done], { environment: allowAll }), 90),
  survived("2 MB of text", onRuntime([{ text: "0123456789abcdef".repeat(128 * 1024) }]), 30),
  survived("a tool prints 20 MB", onRuntime([bash("head -c 20000000 /dev/zero | tr '\\0' x"), done], { environment: allowAll }), 40),
  survived("the answer is full of control characters", onRuntime([{ text: "\u0000\u001b[2J\u2028 ::set-output name=x::y" }]), 12),
];
