/** The machine breaks: disk, descriptors, clock, pipes, memory. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fault, survived, type Fault } from "./fault.ts";
import type { Launch, Scene } from "./scene.ts";
import { allowAll, bash, onDisk, onRuntime, permissions, when } from "./stages.ts";

const quick = [{ text: "The answer." }];
const working = [bash("echo one"), bash("echo two"), { text: "The answer." }];
const wordy = [{ text: "0123456789abcdef".repeat(64 * 1024) }];

/** Every file that the driver writes may hold so many kilobytes; what a full disk does, without one. */
const fileLimit = (kilobytes: number): Launch => ({
  environment: allowAll,
  shell: `ulimit -f ${kilobytes}; exec "$@"`,
});
/** Node itself needs 18 to start. */
const descriptors = (count: number): Launch => ({ shell: `ulimit -n ${count}; exec "$@"` });
export const redirected = (redirection: string): Launch => ({ shell: `exec "$@" ${redirection}` });
const node = (options: string): Launch => ({ environment: { ...allowAll, NODE_OPTIONS: options } });

export const clockJumps = (ms: number): Launch => {
  const code = `const Real=Date;let by=0;globalThis.Date=class extends Real{constructor(...when){super(...(when.length>0?when:[Real.now()+by]))}static now(){return Real.now()+by}};setTimeout(()=>{by=${ms}},300).unref();`;
  return node(`--import=data:text/javascript,${encodeURIComponent(code)}`);
};

/** As an ordinary user, since root may write everywhere. The folder that the path lies in may be read and not written. */
const readOnly =
  (variable: string, name: string) =>
  (_: unknown, { folder }: Scene): Launch => {
    const path = join(folder, "read-only");
    mkdirSync(path, { mode: 0o555 });
    chmodSync(folder, 0o777);
    const user = process.getuid?.() === 0 ? "setpriv --reuid=12345 --regid=12345 --clear-groups" : "";
    return {
      environment: { ...permissions({ allowedTools: ["read"] }), [variable]: join(path, name) },
      shell: `exec ${user} "$@"`,
    };
  };

/** A disk of its own for the log, the result or all temporary files. */
const disk =
  (variable: string, file: string, options: (random: () => number) => string, prepare?: string) =>
  (_: unknown, { folder, random }: Scene): Launch => {
    const path = join(folder, "disk");
    return {
      environment: { ...allowAll, [variable]: join(path, file) },
      shell: onDisk(path, options(random), prepare),
    };
  };
const inTemporary =
  (options: string) =>
  (_: unknown, { temporary }: Scene): Launch => ({
    environment: { ...allowAll, GH_AW_SESSION_STATE_BASE_DIR: "" },
    shell: onDisk(temporary, options),
  });
const fill = `head -c 1M /dev/zero > "$0/filler"`;

const vanishing =
  (path: (scene: Scene) => string) =>
  (_: unknown, scene: Scene): Launch => {
    const folder = path(scene);
    mkdirSync(folder, { recursive: true });
    return {
      environment: { ...allowAll, COPILOT_SDK_RESULT_FILE: join(folder, "result.json") },
      meanwhile: when("sending the prompt", () => rmSync(folder, { recursive: true, force: true })),
    };
  };

// prettier-ignore
export const machineFaults: readonly Fault[] = [
  fault("the disk is full before the first event", onRuntime(working, fileLimit(0)), [1, 2], "nothing", 15),
  fault("the disk fills up during the run", onRuntime(working, fileLimit(4)), 1, "record", 15),
  fault("the event log's disk is full", onRuntime(working, disk("GH_AW_SESSION_STATE_BASE_DIR", "", () => "size=4k", fill)), 1, "record", 15),
  fault("the event log's disk fills up", onRuntime(working, disk("GH_AW_SESSION_STATE_BASE_DIR", "", (random) => `size=${4 * Math.ceil(random() * 2)}k`)), 1, "record", 15),
  fault("the event log's disk is read-only", onRuntime(quick, disk("GH_AW_SESSION_STATE_BASE_DIR", "log", () => "ro")), 2, "configuration", 6),
  fault("the result's disk is full", onRuntime(quick, disk("COPILOT_SDK_RESULT_FILE", "result.json", () => "size=4k", fill)), 1, "nothing", 12),
  fault("the result's disk is read-only", onRuntime(quick, disk("COPILOT_SDK_RESULT_FILE", "result.json", () => "ro")), 2, "nothing", 6),
  fault("the temporary folder, where the log lies by default, is full", onRuntime(working, inTemporary("size=4k")), 1, "record", 15),
  fault("the temporary folder, where the log lies by default, is read-only", onRuntime(quick, inTemporary("ro")), 2, "configuration", 6),
  fault("the event log's folder is read-only", onRuntime(quick, readOnly("GH_AW_SESSION_STATE_BASE_DIR", "log")), 2, "configuration", 6),
  fault("the result's folder is read-only", onRuntime(quick, readOnly("COPILOT_SDK_RESULT_FILE", "result.json")), 2, "nothing", 6),
  fault("the result's folder vanishes during the run", onRuntime([{ text: "The answer.", delayMs: 800 }], vanishing(({ folder }) => join(folder, "results"))), 1, "nothing", 12),
  survived("the temporary folder is missing", onRuntime(quick, (_, { folder }) => ({ environment: { TMPDIR: join(folder, "nowhere", "tmp") } })), 10),
  survived("the denial log cannot be written", onRuntime([bash("rm x"), { text: "The answer." }], readOnly("COPILOT_SDK_DENIAL_LOG_FILE", "denials")), 12),
  fault("file descriptors run out", onRuntime(quick, descriptors(19)), 1, ["connection", "record"], 15),
  fault("file descriptors run out at a random moment", (scene) => onRuntime(quick, descriptors(19 + Math.floor(scene.random() * 12)))(scene), [0, 1], ["connection", "record"], 20),
  survived("the clock jumps a day ahead", onRuntime([{ text: "The answer.", delayMs: 1_000 }], clockJumps(86_400_000)), 12),
  survived("the clock jumps a day back", onRuntime([{ text: "The answer.", delayMs: 1_000 }], clockJumps(-86_400_000)), 12),
  fault("stdout is closed from the start", onRuntime(quick, redirected(">&-")), [0, 1], ["record"], 12),
  survived("stderr is closed from the start", onRuntime(quick, redirected("2>&-")), 12),
  fault("stdout, stderr and stdin are closed from the start", onRuntime(quick, redirected("<&- >&- 2>&-")), [0, 1], ["record"], 12),
  fault("stdout is full", onRuntime(quick, redirected(">/dev/full")), 1, "record", 12),
  survived("stderr is full", onRuntime(quick, redirected("2>/dev/full")), 12),
  fault("the reader of stdout goes away", onRuntime([{ text: "The answer.", delayMs: 500 }], { meanwhile: ({ child }) => void child.stdout?.destroy() }), [0, 1], "record", 12),
  survived("the reader of stderr goes away", onRuntime([{ text: "The answer.", delayMs: 500 }], { meanwhile: ({ child }) => void child.stderr?.destroy() }), 12),
  survived("little memory", onRuntime(wordy, node("--max-old-space-size=64")), 20),
  survived("the prompt has 2 MB", onRuntime(quick, (_, { folder }) => { const file = join(folder, "long.txt"); writeFileSync(file, "word ".repeat(400_000)); return { environment: { GH_AW_PROMPT: file } }; }), 20),
  survived("the parent goes away at once", onRuntime(quick, { shell: `"$@" & exit 0` }), 12),
];
