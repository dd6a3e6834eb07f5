/** The sidecar breaks. */
import { fault, survived, type Fault } from "./fault.ts";
import {
  allowAll,
  answer,
  bash,
  finish,
  idle,
  onFake,
  onRuntime,
  permissions,
  stallAfter,
  when,
} from "./stages.ts";
import { signalTo } from "./scene.ts";
import type { Peer } from "../support/fake-runtime.ts";
import { eventOf } from "../support/fake-runtime.ts";

const close = (_: unknown, peer: Peer): void => void peer.socket.destroy();
const reset = (peer: Peer): void => void peer.socket.resetAndDestroy();
const later =
  (act: (peer: Peer) => void, ms = 200) =>
  (peer: Peer) =>
    void setTimeout(() => act(peer), ms);
const toolStarts = (peer: Peer): void =>
  peer.event("tool.execution_start", { toolCallId: "1", toolName: "bash" });
const toolEnds = (peer: Peer): void =>
  peer.event("tool.execution_complete", { toolCallId: "1", success: true });
const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
const stalls = { environment: stallAfter(1_500) };
const asking = (count: number) => (peer: Peer) => {
  for (let index = 0; index < count; index++)
    peer.event("permission.requested", {
      requestId: `r${index}`,
      permissionRequest: { kind: "shell", fullCommandText: `rm ${index}`, commands: [] },
    });
};
const sleeping = [bash("sleep 60"), { text: "Slept." }];
const quick = [{ text: "The answer." }];
const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

// prettier-ignore
export const runtimeFaults: readonly Fault[] = [
  fault("nothing listens", (scene) => scene.drive({ COPILOT_SDK_URI: "127.0.0.1:1" }), 1, "connection", 5),
  fault("the host does not exist", (scene) => scene.drive({ COPILOT_SDK_URI: "host.invalid:80" }), 1, "connection", 15),
  fault("accepts the connection and never speaks", onFake({ answers: { connect: undefined, ping: undefined } }), 1, "connection", 50),
  fault("never creates the session", onFake({ answers: { "session.create": undefined } }), 1, "connection", 50),
  fault("closes the socket at the handshake", onFake({ answers: { connect: close } }), 1, "connection", 45),
  fault("closes the socket at session.create", onFake({ answers: { "session.create": close } }), 1, "runtime-crashed", 12),
  fault("closes the socket at session.send", onFake({ answers: { "session.send": close } }), 1, "runtime-crashed", 15),
  fault("closes the socket while a tool runs", onFake({ onSend: (peer) => { toolStarts(peer); later(({ socket }) => socket.destroy())(peer); } }), 1, "runtime-crashed", 15),
  fault("closes the socket after the answer, before idle", onFake({ onSend: (peer) => { answer(peer); later(({ socket }) => socket.destroy())(peer); } }), 1, "runtime-crashed", 15),
  fault("resets the connection while the model thinks", onFake({ onSend: later(reset) }), 1, "runtime-crashed", 15),
  survived("closes the socket during clean-up", onFake({ onSend: finish, answers: { "session.shutdown": close } }), 15),
  survived("never answers the clean-up", onFake({ onSend: finish, answers: { "session.shutdown": undefined, "session.detach": undefined } }), 20),
  fault("refuses the token", onRuntime(quick, { environment: { COPILOT_CONNECTION_TOKEN: "wrong-token-of-this-run" } }), 1, "authentication", 6),
  fault("speaks protocol version 1", onFake({ answers: { connect: () => ({ protocolVersion: 1 }), ping: () => ({ protocolVersion: 1 }) } }), 1, "protocol-mismatch", 8),
  fault("speaks protocol version 99", onFake({ answers: { connect: () => ({ protocolVersion: 99 }), ping: () => ({ protocolVersion: 99 }) } }), 1, "protocol-mismatch", 8),
  fault("fails to create the session", onFake({ answers: { "session.create": () => new Error("Model \"x\" is not available.") } }), 1, "model-unavailable", 8),
  fault("fails to take the prompt", onFake({ answers: { "session.send": () => new Error("No GitHub OAuth token") } }), 1, "authentication", 8),
  fault("sends a frame that is not JSON, then nothing", onFake({ onSend: ({ raw }) => raw(frame("{not json")) }, stalls), [1, 124], ["stalled", "runtime-crashed", "unknown"], 20),
  fault("sends a header without a length, then nothing", onFake({ onSend: ({ raw }) => raw("X-Nonsense: 1\r\n\r\n{}") }, stalls), [1, 124], ["stalled", "runtime-crashed", "unknown"], 20),
  fault("promises 1 GB and sends ten bytes", onFake({ onSend: ({ raw }) => raw("Content-Length: 1000000000\r\n\r\n0123456789") }, stalls), [1, 124], ["stalled", "runtime-crashed"], 20),
  fault("sends a negative length", onFake({ onSend: ({ raw }) => raw("Content-Length: -5\r\n\r\nhello") }, stalls), [1, 124], ["stalled", "runtime-crashed", "unknown"], 20),
  fault("sends random bytes", (scene) => onFake({ onSend: ({ raw }) => raw(Buffer.from(Array.from({ length: 4096 }, () => Math.floor(scene.random() * 256)))) }, stalls)(scene), [1, 124], ["stalled", "runtime-crashed", "unknown"], 20),
  survived("sends a frame that is not JSON, then goes on", onFake({ onSend: (peer) => { peer.raw(frame("{not json")); finish(peer); } }, stalls), 20),
  survived("sends one event of 64 MB", onFake({ onSend: (peer) => { peer.event("tool.execution_partial_result", { partialOutput: "x".repeat(64 * 1024 * 1024) }, { ephemeral: true }); finish(peer); } }), 40),
  survived("sends one event of 64 MB that belongs into the log", onFake({ onSend: (peer) => { peer.event("tool.execution_complete", { toolCallId: "1", result: "x".repeat(64 * 1024 * 1024) }); finish(peer); } }), 60),
  survived("sends 100 000 events at once", onFake({ onSend: (peer) => { for (let n = 0; n < 100_000; n++) peer.event("assistant.message_delta", { deltaContent: "x", messageId: "1" }, n % 2 === 0 ? { ephemeral: true } : {}); finish(peer); } }), 60),
  survived("sends events of unknown types and shapes", onFake({ onSend: (peer) => { for (const type of ["__proto__", "constructor", "", "from.the_future"]) peer.event(type, { toolCallId: 7 }); finish(peer); } }), 8),
  survived("sends events without data, type or id", onFake({ onSend: (peer) => { for (const event of [null, {}, { type: "tool.execution_start" }, { type: 7, data: 7 }, []]) peer.notify("session.event", { sessionId: peer.sessionId, event }); finish(peer); } }, stalls), 12),
  survived("sends notifications and requests that nobody knows", onFake({ onSend: (peer) => { peer.notify("from.the/future", {}); peer.raw(frame('{"jsonrpc":"2.0","id":77,"method":"from.the/future","params":{}}')); finish(peer); } }), 8),
  survived("ends a tool before it starts it", onFake({ onSend: (peer) => { toolEnds(peer); toolStarts(peer); toolEnds(peer); finish(peer); } }), 12),
  survived("sends the events of a turn in random order", (scene) => onFake({ onSend: (peer) => { shuffled([toolStarts, toolEnds, answer, toolStarts, toolEnds], scene.random).forEach((act) => act(peer)); toolEnds(peer); idle(peer); } }, stalls)(scene), 15),
  survived("runs two tools under one id", onFake({ onSend: (peer) => { for (const act of [toolStarts, toolStarts, toolEnds, toolEnds]) act(peer); finish(peer); } }), 12),
  survived("sends every event twice, with the same id", onFake({ onSend: (peer) => { for (const type of ["assistant.message", "session.idle"]) { const event = eventOf(type, { content: "The answer.", toolRequests: [] }); for (let n = 0; n < 2; n++) peer.notify("session.event", { sessionId: peer.sessionId, event }); } } }), 8),
  survived("sends idle twice", onFake({ onSend: (peer) => { finish(peer); idle(peer); } }), 8),
  survived("sends idle before the answer", onFake({ onSend: (peer) => { idle(peer); later(answer)(peer); } }), 8),
  fault("never goes idle", onFake({ onSend: answer }, stalls), 124, "stalled", 25),
  fault("reports an error, then goes idle", onFake({ onSend: (peer) => { peer.event("session.error", { errorType: "query", statusCode: 500, message: "Broken" }); idle(peer); } }), 1, "unknown", 8),
  fault("reports an error, then nothing", onFake({ onSend: (peer) => peer.event("session.error", { errorType: "quota", message: "Broken" }) }), 1, "quota", 15),
  fault("aborts by itself", onFake({ onSend: (peer) => peer.event("session.idle", { aborted: true }) }), 1, "cancelled", 8),
  fault("runs out of its limits", onFake({ onSend: (peer) => peer.event("session_limits_exhausted.requested", { maxAiCredits: 3, requestId: "x" }) }), 1, "quota", 8),
  survived("repeats the connection token in whatever it says", (scene) => onFake({ onSend: (peer) => { peer.event("tool.execution_start", { toolCallId: scene.token, toolName: scene.token, arguments: { command: `echo ${scene.token}` } }); peer.event("tool.execution_complete", { toolCallId: scene.token, success: false, error: { message: scene.token } }); peer.event(`about.${scene.token}`, { [scene.token]: [scene.token] }); answer(peer, `It is ${scene.token}.`); idle(peer); } })(scene), 8),
  fault("repeats the connection token in an error", (scene) => onFake({ answers: { "session.create": () => new Error(`Wrong token: ${scene.token}`) } }, { environment: { COPILOT_SDK_LOG_LEVEL: "all" } })(scene), 1, ["unknown", "authentication"], 8),
  survived("leaves a background task running for ever", onFake({ onSend: finish, answers: { "session.tasks.list": () => ({ tasks: [{ id: "t", status: "running" }] }) } }, stalls), 15),
  fault("cannot list its background tasks", onFake({ onSend: finish, answers: { "session.tasks.list": () => new Error("Broken") } }), [0, 1], ["unknown"], 12),
  fault("asks 1000 permissions at once, more than the budget", onFake({ onSend: asking(1000) }, { environment: { ...permissions({ allowedTools: ["read"] }), GH_AW_MAX_TOOL_DENIALS: "5" } }), 3, "denied", 25),
  survived("asks for permission in shapes that nobody knows", onFake({ onSend: (peer) => { for (const permissionRequest of [null, 7, {}, [], { kind: null }]) peer.event("permission.requested", { requestId: "r", permissionRequest }); finish(peer); } }, { environment: permissions({ allowedTools: ["read"] }) }), 8),
  fault("is killed before the session is there", onRuntime(quick, (runtime) => ({ meanwhile: when("connecting", () => signalTo(-runtime.pid, "SIGKILL")) })), [0, 1], ["connection", "runtime-crashed"], 40),
  fault("is stopped (SIGSTOP) before the session is there", onRuntime(quick, (runtime) => { signalTo(-runtime.pid, "SIGSTOP"); return {}; }), 1, "connection", 50),
  fault("is killed while a tool runs", onRuntime(sleeping, (runtime) => ({ environment: allowAll, meanwhile: when("tool started", () => signalTo(-runtime.pid, "SIGKILL")) })), 1, "runtime-crashed", 15),
  fault("is killed while the model thinks", onRuntime([{ hang: true }], (runtime) => ({ meanwhile: when("sending the prompt", () => signalTo(-runtime.pid, "SIGKILL")) })), 1, "runtime-crashed", 15),
  fault("is stopped (SIGSTOP) while the model thinks", onRuntime([{ hang: true }], (runtime) => ({ ...stalls, meanwhile: when("sending the prompt", () => signalTo(-runtime.pid, "SIGSTOP")) })), 124, "stalled", 30),
  survived("is stopped for two seconds, then goes on", onRuntime([{ text: "The answer.", delayMs: 1_000 }], (runtime) => ({ meanwhile: when("sending the prompt", () => { signalTo(-runtime.pid, "SIGSTOP"); setTimeout(signalTo, 2_000, -runtime.pid, "SIGCONT"); }) })), 15),
];
