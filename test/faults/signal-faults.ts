/** Signals: in every phase, twice, in quick succession. */
import { fault, survived, type Ending, type Fault, type Told } from "./fault.ts";
import type { Launch, Live } from "./scene.ts";
import { allowAll, bash, finish, hailed, onFake, onRuntime, signalled, when, type Moment } from "./stages.ts";

const at = (moment: Moment, ...signals: NodeJS.Signals[]): Launch => ({
  environment: allowAll,
  meanwhile: signalled(moment, ...signals),
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
const hasty: Told[] = ["cancelled", "nothing"];
const storm: NodeJS.Signals[] = ["SIGINT", "SIGHUP", "SIGTERM", "SIGWINCH", "SIGTERM", "SIGINT"];

// prettier-ignore
export const signalFaults: readonly Fault[] = [
  fault("SIGTERM at once", onRuntime(thinking, at(0, "SIGTERM")), terminated, "cancelled", 8),
  fault("SIGTERM 30 ms after the start", onRuntime(thinking, at(30, "SIGTERM")), terminated, "cancelled", 8),
  fault("SIGTERM at a random moment", (scene) => onRuntime(thinking, at(Math.round(scene.random() * 1_500), "SIGTERM"))(scene), terminated, "cancelled", 10),
  fault("SIGINT at a random moment, then SIGTERM", (scene) => onRuntime(thinking, at(Math.round(scene.random() * 1_500), "SIGINT", "SIGTERM"))(scene), [130, 143, "SIGINT", "SIGTERM"], hasty, 10),
  fault("SIGTERM before it connects", onRuntime(thinking, at("permission policy", "SIGTERM")), 143, "cancelled", 8),
  fault("SIGTERM while it connects", mute("connect"), 143, "cancelled", 8),
  fault("SIGINT while the session is created", muteAt("session.create", "client started", "SIGINT"), 130, "cancelled", 8),
  fault("SIGTERM when the session is there", onRuntime(thinking, at("session created", "SIGTERM")), 143, "cancelled", 8),
  fault("SIGHUP while the prompt is sent", muteAt("session.send", "sending the prompt", "SIGHUP"), 129, "cancelled", 10),
  fault("SIGTERM while the model thinks", onRuntime(thinking, at("sending the prompt", "SIGTERM")), 143, "cancelled", 10),
  fault("SIGINT while a tool runs", onRuntime(sleeping, at("tool started", "SIGINT")), 130, "cancelled", 10),
  fault("SIGTERM between two tools", onRuntime([bash("true"), bash("sleep 60"), { text: "Slept." }], at("tool ended", "SIGTERM")), 143, "cancelled", 10),
  fault("SIGTERM when all is done", onRuntime([{ text: "The answer." }], at("completed", "SIGTERM")), [0, 143], ["cancelled", "nothing"], 10),
  fault("SIGTERM during a clean-up that hangs", onFake({ onSend: finish, answers: { "session.shutdown": undefined } }, { meanwhile: (live) => void live.said("sending the prompt").then(() => setTimeout(() => live.child.kill("SIGTERM"), 600)) }), [0, 143], ["cancelled"], 5),
  fault("SIGTERM twice", onRuntime(sleeping, at("tool started", "SIGTERM", "SIGTERM")), 143, hasty, 8),
  fault("SIGINT, then SIGTERM", onRuntime(sleeping, at("tool started", "SIGINT", "SIGTERM")), [130, 143], hasty, 8),
  fault("SIGTERM twenty times", onRuntime(sleeping, at("tool started", ...Array<NodeJS.Signals>(20).fill("SIGTERM"))), 143, hasty, 8),
  fault("signals of all sorts, milliseconds apart", (scene) => onRuntime(sleeping, { environment: allowAll, meanwhile: hailed("tool started", scene.random, ...storm) })(scene), [129, 130, 143], hasty, 8),
  fault("SIGINT, 7.5 s later SIGTERM, as hosted runners do", onFake({ answers: { "session.abort": undefined, "session.shutdown": undefined, "session.detach": undefined } }, { meanwhile: when("sending the prompt", (live) => { live.child.kill("SIGINT"); setTimeout(() => live.child.kill("SIGTERM"), 7_500); }) }), 130, "cancelled", 8),
  fault("SIGKILL while a tool runs", onRuntime(sleeping, at("tool started", "SIGKILL")), "SIGKILL", [], 8),
  survived("SIGUSR1, which would open Node's inspector", onRuntime(slow, at("sending the prompt", "SIGUSR1")), 10),
  survived("SIGPIPE and SIGWINCH", onRuntime(slow, at("sending the prompt", "SIGPIPE", "SIGWINCH")), 10),
  survived("SIGSTOP for two seconds", onRuntime(slow, { meanwhile: when("sending the prompt", pause) }), 15),
];
