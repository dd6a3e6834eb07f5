/** The whole pipeline breaks: harness, sidecar and driver together, from the command line. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fault, survived, type Ending, type Fault } from "./fault.ts";
import { clockJumps, redirected } from "./machine-faults.ts";
import { quick, script, sleeping } from "./scripts.ts";
import { signalTo, type Launch, type Scene } from "./scene.ts";
import { hailed, onCommandLine, onDisk, signalled, when, type Moment } from "./stages.ts";

const leaving = script(
  "{ tool: bash, with: { command: 'setsid sleep 60 > /dev/null 2>&1 &', description: x, mode: sync } }",
  "{ say: Left. }",
);

const at = (moment: Moment, ...signals: NodeJS.Signals[]): Launch => ({
  meanwhile: signalled(moment, ...signals),
});
const cancelledAt = (moment: Moment, ...signals: NodeJS.Signals[]): Fault["stage"] =>
  onCommandLine(sleeping, at(moment, ...signals));
const disk = (options: (random: () => number) => string): Fault["stage"] =>
  onCommandLine(quick, (_, { temporary, random }) => ({ shell: onDisk(temporary, options(random)) }));
const pidOf = ({ folder }: Scene, part: string): number | undefined =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return command.includes(folder) && command.includes(part);
      } catch {
        return false;
      }
    });

const strike =
  (text: string, part: string, signal: NodeJS.Signals) =>
  (_: undefined, scene: Scene): Launch => ({
    meanwhile: when(text, () => {
      const pid = pidOf(scene, part);
      if (pid !== undefined) signalTo(pid, signal);
    }),
  });

const strikeAndRelease =
  (text: string, part: string) =>
  (_: undefined, scene: Scene): Launch => ({
    meanwhile: when(text, () => {
      const pid = pidOf(scene, part);
      if (pid === undefined) return;
      signalTo(pid, "SIGSTOP");
      setTimeout(signalTo, 2_000, pid, "SIGCONT");
    }),
  });

/** Enough for Node 20 and 24 themselves. With more of them it gets further: to the runtime, to its start, to the end. */
const fewDescriptors = ({ random }: Scene): Launch => ({
  shell: `ulimit -n ${24 + Math.floor(random() * 10)}; exec "$@"`,
});

const early: Ending[] = [143, "SIGTERM"];
/** What waits together is delivered by number, not in the order in which it was sent. */
const anySignal: Ending[] = [129, 130, 143];

// prettier-ignore
export const harnessFaults: readonly Fault[] = [
  survived("nothing breaks the harness", onCommandLine(quick), 15),
  fault("SIGTERM to the harness at once", cancelledAt(0, "SIGTERM"), early, "cancelled", 10),
  fault("SIGTERM to the harness at a random moment", (scene) => cancelledAt(Math.round(scene.random() * 2_500), "SIGTERM")(scene), early, "cancelled", 15),
  fault("SIGTERM to the harness in its first half second", (scene) => cancelledAt(Math.round(scene.random() * 500), "SIGTERM")(scene), early, "cancelled", 15),
  fault("SIGTERM to the harness when the runtime is ready", cancelledAt("the Copilot runtime is ready", "SIGTERM"), 143, "cancelled", 15),
  fault("SIGINT to the harness while the driver connects", cancelledAt("connecting", "SIGINT"), 130, "cancelled", 15),
  fault("SIGTERM to the harness when the session is there", cancelledAt("session created", "SIGTERM"), 143, "cancelled", 15),
  fault("SIGINT to the harness while a tool runs", cancelledAt("tool started", "SIGINT"), 130, "cancelled", 15),
  fault("SIGHUP to the harness while a tool runs, as when a terminal closes", cancelledAt("tool started", "SIGHUP"), 129, "cancelled", 15),
  fault("SIGTERM to the harness when the driver is done", onCommandLine(quick, at("completed", "SIGTERM")), [0, 143], ["cancelled", "nothing"], 15),
  fault("SIGTERM to the harness, twice", cancelledAt("tool started", "SIGTERM", "SIGTERM"), 143, "cancelled", 15),
  fault("SIGINT to the harness, SIGTERM two seconds later", onCommandLine(sleeping, { meanwhile: when("tool started", ({ child }) => { child.kill("SIGINT"); setTimeout(() => child.kill("SIGTERM"), 2_000); }) }), 130, "cancelled", 15),
  fault("signals of all sorts to the harness, milliseconds apart", (scene) => onCommandLine(sleeping, { meanwhile: hailed("tool started", scene.random, "SIGINT", "SIGTERM", "SIGHUP", "SIGINT") })(scene), anySignal, "cancelled", 15),
  fault("the harness is killed while a tool runs", cancelledAt("tool started", "SIGKILL"), "SIGKILL", [], 15),
  fault("the harness is killed at a random moment", (scene) => cancelledAt(Math.round(scene.random() * 1_500), "SIGKILL")(scene), "SIGKILL", [], 15),
  fault("the harness's driver is killed", onCommandLine(sleeping, strike("tool started", "driver.js", "SIGKILL")), 1, "unknown", 20),
  fault("the harness's runtime is killed", onCommandLine(sleeping, strike("tool started", "copilot-runtime", "SIGKILL")), 1, "runtime-crashed", 25),
  survived("the harness's driver is stopped for two seconds", onCommandLine(script("{ say: The answer., delay: 1s }"), strikeAndRelease("sending the prompt", "driver.js")), 20),
  survived("the harness's agent leaves a process running in a session of its own", onCommandLine(leaving), 15),
  fault("the harness's temporary folder is a file", onCommandLine(quick, (_, { folder }) => ({ environment: { TMPDIR: join(folder, "prompt.txt") } })), 2, "nothing", 10),
  fault("the harness's temporary folder is on a read-only disk", disk(() => "ro"), 2, "nothing", 10),
  fault("the harness's temporary folder is on a full disk", disk(() => "size=4k,nr_inodes=8"), [1, 2], ["nothing", "unknown", "configuration"], 15),
  fault("the harness's temporary folder fills up", disk((random) => `size=${4 * Math.ceil(random() * 150)}k`), [0, 1, 2], ["nothing", "unknown", "configuration"], 30),
  fault("the disk on which the harness keeps runs is read-only", onCommandLine(quick, (_, { folder }) => ({ shell: onDisk(join(folder, "state"), "ro") })), 2, "nothing", 10),
  fault("the disk on which the harness keeps runs fills up", onCommandLine(quick, (_, { folder, random }) => ({ shell: onDisk(join(folder, "state"), `size=${4 * Math.ceil(random() * 8)}k`) })), 1, ["nothing", "record"], 15),
  survived("the clock of the harness jumps a day ahead", onCommandLine(script("{ say: The answer., delay: 1s }"), clockJumps(86_400_000)), 15),
  survived("stdout of the harness is closed", onCommandLine(quick, redirected(">&-")), 15),
  survived("stderr of the harness is closed", onCommandLine(quick, redirected("2>&-")), 15),
  fault("stdout of the harness is full", onCommandLine(quick, redirected(">/dev/full")), 1, "nothing", 15),
  fault("the reader of the harness's stdout goes away", onCommandLine(quick, { meanwhile: ({ child }) => void child.stdout?.destroy() }), 1, "nothing", 15),
  survived("the reader of the harness's stderr goes away", onCommandLine(quick, { meanwhile: ({ child }) => void child.stderr?.destroy() }), 15),
  fault("file descriptors run out for the harness", (scene) => onCommandLine(quick, fewDescriptors(scene))(scene), [0, 1, 2], ["configuration", "runtime-missing"], 30),
];
