/** Signals: in every phase, twice, in quick succession. */
import { fault, survived, type Ending, type Fault } from "./fault.ts";
import type { Launch, Live } from "./scene.ts";
import { allowAll, bash, finish, onFake, onRuntime, when } from "./stages.ts";

const send =
  (...signals: NodeJS.Signals[]) =>
  ({ child }: Live): void => {
    for (const signal of signals) child.kill(signal);
  };
const at = (text: string, ...signals: NodeJS.Signals[]): Launch => ({
  environment: allowAll,
  meanwhile: when(text, send(...signals)),
});
const afterMs = (ms: number, ...signals: NodeJS.Signals[]): Launch => ({
  environment: allowAll,
  meanwhile: (live) => void setTimeout(() => send(...signals)(live), ms),
});

const thinking = [{ hang: true }];
const sleeping = [bash("sleep 60"), { text: "Slept." }];
const slow = [{ text: "The answer.", delayMs: 1_500 }];
const mute = (method: string) =>
  onFake({ onSend: finish, answers: { [method]: undefined } }, at("connecting", "SIGTERM"));
const muteAt = (method: string, text: string, signal: NodeJS.Signals) =>
  onFake({ onSend: finish, answers: { [method]: undefined } }, at(text, signal));
const pause = ({ child }: Live): void => {
  child.kill("SIGSTOP");
  setTimeout(() => child.kill("SIGCONT"), 2_000);
};
const terminated: Ending[] = [143, "SIGTERM"];

// prettier-ignore
export const signalFaults: readonly Fault[] = [
  fault("SIGTERM at once", onRuntime(thinking, afterMs(0, "SIGTERM")), terminated, "cancelled", 8),
  fault("SIGTERM 30 ms after the start", onRuntime(thinking, afterMs(30, "SIGTERM")), terminated, "cancelled", 8),
  fault("SIGTERM at a random moment", (scene) => onRuntime(thinking, afterMs(Math.round(scene.random() * 1_500), "SIGTERM"))(scene), terminated, "cancelled", 10),
  fault("SIGINT at a random moment, then SIGTERM", (scene) => onRuntime(thinking, afterMs(Math.round(scene.random() * 1_500), "SIGINT", "SIGTERM"))(scene), [130, 143, "SIGINT", "SIGTERM"], "cancelled", 10),
  fault("SIGTERM while it connects", mute("connect"), 143, "cancelled", 8),
  fault("SIGINT while the session is created", muteAt("session.create", "client started", "SIGINT"), 130, "cancelled", 8),
  fault("SIGHUP while the prompt is sent", muteAt("session.send", "sending the prompt", "SIGHUP"), 129, "cancelled", 10),
  fault("SIGTERM while the model thinks", onRuntime(thinking, at("sending the prompt", "SIGTERM")), 143, "cancelled", 10),
  fault("SIGINT while a tool runs", onRuntime(sleeping, at("tool started", "SIGINT")), 130, "cancelled", 10),
  fault("SIGTERM during a clean-up that hangs", onFake({ onSend: finish, answers: { "session.shutdown": undefined } }, { meanwhile: (live) => void live.said("sending the prompt").then(() => setTimeout(() => live.child.kill("SIGTERM"), 600)) }), [0, 143], ["cancelled"], 5),
  fault("SIGTERM twice", onRuntime(sleeping, at("tool started", "SIGTERM", "SIGTERM")), 143, "cancelled", 8),
  fault("SIGINT, then SIGTERM", onRuntime(sleeping, at("tool started", "SIGINT", "SIGTERM")), [130, 143], "cancelled", 8),
  fault("SIGTERM twenty times", onRuntime(sleeping, at("tool started", ...Array<NodeJS.Signals>(20).fill("SIGTERM"))), 143, "cancelled", 8),
  fault("SIGINT, 7.5 s later SIGTERM, as hosted runners do", onFake({ answers: { "session.abort": undefined, "session.shutdown": undefined, "session.detach": undefined } }, { meanwhile: when("sending the prompt", (live) => { live.child.kill("SIGINT"); setTimeout(() => live.child.kill("SIGTERM"), 7_500); }) }), 130, "cancelled", 8),
  fault("SIGKILL while a tool runs", onRuntime(sleeping, at("tool started", "SIGKILL")), "SIGKILL", [], 8),
  survived("SIGUSR1, which would open Node's inspector", onRuntime(slow, at("sending the prompt", "SIGUSR1")), 10),
  survived("SIGPIPE and SIGWINCH", onRuntime(slow, at("sending the prompt", "SIGPIPE", "SIGWINCH")), 10),
  survived("SIGSTOP for two seconds", onRuntime(slow, { meanwhile: when("sending the prompt", pause) }), 15),
];
