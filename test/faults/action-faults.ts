/** The Action breaks: its step and its post step, as a job runs them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fault, survived, type Fault, type Told } from "./fault.ts";
import { quick, script, sleeping } from "./scripts.ts";
import type { Launch, Scene } from "./scene.ts";
import { onAction, onDisk, signalled, when, type Moment } from "./stages.ts";

const at = (moment: Moment, ...signals: NodeJS.Signals[]): Fault["stage"] =>
  onAction(sleeping, { meanwhile: signalled(moment, ...signals) });
const failing = (status: number): Fault["stage"] =>
  onAction(script(`{ error: { status: ${status}, retryAfter: 0 } }`));
const disk = (options: (random: () => number) => string): Fault["stage"] =>
  onAction(quick, (_, { temporary, random }) => ({ shell: onDisk(temporary, options(random)) }));
/** A folder where a file belongs cannot be written, not even by root. */
const unwritable =
  (name: string) =>
  (_: undefined, { folder }: Scene): Launch => {
    const path = join(folder, "not-a-file");
    mkdirSync(path);
    return { environment: { [name]: path } };
  };

/** By the time that the signal arrives there may be a session, and only a session has a result of its own. */
const early: Told[] = ["cancelled", "nothing"];

// prettier-ignore
export const actionFaults: readonly Fault[] = [
  survived("nothing breaks the Action", onAction(quick), 15),
  fault("the model answers 400 to the Action", failing(400), 1, "unknown", 20),
  fault("the model answers 401 to the Action", failing(401), 1, "authentication", 20),
  fault("the job is cancelled when the Action starts", at(0, "SIGINT"), [130, "SIGINT"], "nothing", 15),
  fault("the job is cancelled while the Action starts the runtime", at("The agent at work", "SIGINT"), 130, early, 15),
  fault("the job is cancelled when the Action's runtime is ready", at("the Copilot runtime is ready", "SIGINT"), 130, early, 15),
  fault("the job is cancelled while the Action's driver connects", at("connecting", "SIGINT"), 130, early, 15),
  fault("the job is cancelled while a tool of the Action runs", at("tool started", "SIGINT"), 130, "cancelled", 15),
  fault("the job is cancelled when the Action is done", onAction(quick, { meanwhile: signalled("conclusion: completed", "SIGINT") }), 0, [], 15),
  fault("the job is cancelled, 2 s later SIGTERM", onAction(sleeping, { meanwhile: when("tool started", ({ child }) => { child.kill("SIGINT"); setTimeout(() => child.kill("SIGTERM"), 2_000); }) }), 130, "cancelled", 15),
  fault("the Action is killed while it starts the runtime", at("The agent at work", "SIGKILL"), "SIGKILL", "nothing", 15),
  fault("the Action is killed while a tool runs", at("tool started", "SIGKILL"), "SIGKILL", "nothing", 15),
  fault("the Action is killed at a random moment", (scene) => at(Math.round(scene.random() * 1_500), "SIGKILL")(scene), "SIGKILL", "nothing", 15),
  fault("GITHUB_OUTPUT cannot be written", onAction(quick, unwritable("GITHUB_OUTPUT")), 2, "nothing", 10),
  survived("GITHUB_STEP_SUMMARY cannot be written", onAction(quick, unwritable("GITHUB_STEP_SUMMARY")), 15),
  fault("GITHUB_STATE cannot be written", onAction(quick, unwritable("GITHUB_STATE")), 2, "nothing", 10),
  fault("RUNNER_TEMP is a read-only disk", disk(() => "ro"), 2, "nothing", 10),
  fault("RUNNER_TEMP is a full disk", disk(() => "size=4k,nr_inodes=2"), 1, ["nothing", "unknown"], 15),
  fault("RUNNER_TEMP fills up", disk((random) => `size=${4 * Math.ceil(random() * 150)}k`), [0, 1], ["nothing", "unknown"], 30),
  fault("RUNNER_TEMP is missing", onAction(quick, (_, { folder }) => ({ environment: { RUNNER_TEMP: join(folder, "nowhere") } })), 2, "nothing", 10),
];
