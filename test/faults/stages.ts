/** The worlds in which faults happen: the real runtime, one of our own making, a bad network, the whole command line. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import type { Turn } from "../../src/rehearsal/turn.ts";
import { startFakeRuntime, type Behaviour, type FakeRuntime, type Peer } from "../support/fake-runtime.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import type { Fault } from "./fault.ts";
import { startProxy, type Weather } from "./proxy.ts";
import type { Launch, Live, Scene } from "./scene.ts";

type Stage = Fault["stage"];
type LaunchFor<World> = Launch | ((world: World, scene: Scene) => Launch);

const launchFor = <World>(how: LaunchFor<World>, world: World, scene: Scene): Launch =>
  typeof how === "function" ? how(world, scene) : how;

const openRuntime = async (turns: readonly Turn[], scene: Scene) => {
  const api = await startScriptedApi({ turns });
  scene.onEnd(api.close);
  const runtime = await startRuntime(api.environment);
  scene.onEnd(runtime.stop);
  scene.secrets.push(runtime.token);
  const environment = {
    COPILOT_SDK_URI: runtime.uri,
    COPILOT_CONNECTION_TOKEN: runtime.token,
    COPILOT_MODEL: api.model,
  };
  return { runtime, environment };
};

export const onRuntime =
  (turns: readonly Turn[], how: LaunchFor<Runtime> = {}): Stage =>
  async (scene) => {
    const { runtime, environment } = await openRuntime(turns, scene);
    return scene.drive(environment, launchFor(how, runtime, scene));
  };

export const onFake =
  (behaviour: Behaviour, how: LaunchFor<FakeRuntime> = {}): Stage =>
  async (scene) => {
    const fake = await startFakeRuntime(behaviour);
    scene.onEnd(fake.close);
    return scene.drive({ COPILOT_SDK_URI: fake.uri }, launchFor(how, fake, scene));
  };

export const inWeather =
  (weather: (scene: Scene) => Weather, turns: readonly Turn[], how: Launch = {}): Stage =>
  async (scene) => {
    const { runtime, environment } = await openRuntime(turns, scene);
    const proxy = await startProxy(runtime.uri, weather(scene));
    scene.onEnd(proxy.close);
    return scene.drive({ ...environment, COPILOT_SDK_URI: proxy.uri }, how);
  };

/** The whole pipeline: `script` is a rehearsal in YAML. */
export const onCommandLine =
  (script: string, how: LaunchFor<undefined> = {}): Stage =>
  (scene) => {
    const file = join(scene.folder, "script.yml");
    writeFileSync(file, script);
    return scene.command(["rehearse", file, "--verbose"], launchFor(how, undefined, scene));
  };

const commandFiles = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];
/** What the step saved last, under the name by which the runner hands it to the post step. */
const savedState = (text: string): Record<string, string> => {
  const [, , state] = [...text.matchAll(/^copilot-driver<<(.+)\n(.*)\n\1$/gm)].at(-1) ?? [];
  return state === undefined ? {} : { "STATE_copilot-driver": state };
};

/** The Action in a job: its step, then its post step, as a runner does it whatever came of the first. */
export const onAction =
  (script: string, how: LaunchFor<undefined> = {}): Stage =>
  async (scene) => {
    const rehearsal = join(scene.folder, "script.yml");
    writeFileSync(rehearsal, script);
    const files = Object.fromEntries(commandFiles.map((name) => [name, join(scene.folder, name)]));
    for (const file of Object.values(files)) writeFileSync(file, "");
    const inputs = { INPUT_REHEARSAL: rehearsal, "INPUT_LOG-LEVEL": "debug" };
    const main = await scene.step("index.js", { ...files, ...inputs }, launchFor(how, undefined, scene));
    const state = savedState(readFileSync(join(scene.folder, "GITHUB_STATE"), "utf8"));
    const post = await scene.step("post.js", { ...files, ...state });
    if (post.exitCode !== 0) throw new Error(`The post step ended with ${post.exitCode}: ${post.stderr}`);
    // The runner keeps to itself what it is told to mask.
    const stdout = (main.stdout + post.stdout).replace(/^::add-mask::.*$/gm, "");
    return { ...main, stdout, stderr: main.stderr + post.stderr, cleanedUp: true };
  };

/**
 * A line of Bash that puts a disk of its own at the path, in a namespace of its own, and prepares it there (`$0`).
 * At the end, what is on it is laid where it can be looked at.
 */
export const onDisk = (path: string, options: string, prepare = ":"): string => {
  const inside = [
    `mkdir -p "$0" "$0.seen" && mount --bind "$0" "$0.seen" && mount -t tmpfs -o ${options} none "$0" || exit 99`,
    prepare,
    `"$@"; code=$?; cp -a "$0/." "$0.seen"; exit $code`,
  ].join("\n");
  return `exec unshare --map-root-user --mount bash -c '${inside}' '${path}' "$@"`;
};

/** A moment that the log names, or so many milliseconds after the start. */
export type Moment = string | number;

export const signalled = (moment: Moment, ...signals: NodeJS.Signals[]): NonNullable<Launch["meanwhile"]> => {
  const send = ({ child }: Live): void => {
    for (const signal of signals) child.kill(signal);
  };
  return typeof moment === "string" ? when(moment, send) : (live) => void setTimeout(send, moment, live);
};

/** Signals one after the other, with random pauses of some milliseconds. */
export const hailed =
  (moment: string, random: () => number, ...signals: NodeJS.Signals[]): NonNullable<Launch["meanwhile"]> =>
  async ({ said, child }) => {
    await said(moment);
    for (const signal of signals) {
      child.kill(signal);
      await delay(random() * 20);
    }
  };

export const answer = (peer: Peer, content = "The answer."): void =>
  peer.event("assistant.message", { content, toolRequests: [] });

export const idle = (peer: Peer): void => peer.event("session.idle");

export const finish = (peer: Peer): void => {
  answer(peer);
  idle(peer);
};

export const when =
  (text: string, act: (live: Live) => void | Promise<void>): NonNullable<Launch["meanwhile"]> =>
  async (live) => {
    await live.said(text);
    await act(live);
  };

export const bash = (command: string): Turn => ({
  toolCalls: [{ name: "bash", arguments: { command, description: "x", mode: "sync" } }],
});

export const permissions = (value: object): Record<string, string> => ({
  COPILOT_SDK_PERMISSIONS: JSON.stringify(value),
});
export const allowAll = permissions({ allowAllTools: true });
export const stallAfter = (ms: number): Record<string, string> => ({
  COPILOT_SDK_STALL_TIMEOUT_MS: String(ms),
});
export const timeOutAfter = (ms: number): Record<string, string> => ({
  COPILOT_SDK_SEND_TIMEOUT_MS: String(ms),
});
