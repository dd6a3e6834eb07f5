/** The whole pipeline breaks: harness, sidecar and driver together, from the command line. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fault, survived, type Fault } from "./fault.ts";
import type { Launch, Live, Scene } from "./scene.ts";
import { onCommandLine, when } from "./stages.ts";

const script = (...steps: string[]): string =>
  `allow: all\nsteps:\n${steps.map((step) => `  - ${step}\n`).join("")}`;
const sleep = "{ tool: bash, with: { command: sleep 60, description: x, mode: sync } }";
const sleeping = script(sleep, "{ say: Slept. }");
const quick = script("{ say: The answer. }");

const send =
  (...signals: NodeJS.Signals[]) =>
  ({ child }: Live): void => {
    for (const signal of signals) child.kill(signal);
  };
const at = (text: string, ...signals: NodeJS.Signals[]): Launch => ({
  meanwhile: when(text, send(...signals)),
});
const afterMs = (ms: number, ...signals: NodeJS.Signals[]): Launch => ({
  meanwhile: (live) => void setTimeout(() => send(...signals)(live), ms),
});

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
      if (pid !== undefined) process.kill(pid, signal);
    }),
  });

const strikeAndRelease =
  (text: string, part: string) =>
  (_: undefined, scene: Scene): Launch => ({
    meanwhile: when(text, () => {
      const pid = pidOf(scene, part);
      if (pid === undefined) return;
      process.kill(pid, "SIGSTOP");
      setTimeout(() => process.kill(pid, "SIGCONT"), 2_000);
    }),
  });

// prettier-ignore
export const harnessFaults: readonly Fault[] = [
  survived("nothing breaks the harness", onCommandLine(quick), 15),
  fault("SIGTERM to the harness at once", onCommandLine(sleeping, afterMs(0, "SIGTERM")), [143, "SIGTERM"], "cancelled", 10),
  fault("SIGTERM to the harness at a random moment", (scene) => onCommandLine(sleeping, afterMs(Math.round(scene.random() * 2_500), "SIGTERM"))(scene), [143, "SIGTERM"], "cancelled", 15),
  fault("SIGINT to the harness while a tool runs", onCommandLine(sleeping, at("tool started", "SIGINT")), 130, "cancelled", 15),
  fault("SIGTERM to the harness, twice", onCommandLine(sleeping, at("tool started", "SIGTERM", "SIGTERM")), 143, "cancelled", 15),
  fault("the harness's driver is killed", onCommandLine(sleeping, strike("tool started", "driver.js", "SIGKILL")), 1, "unknown", 20),
  fault("the harness's runtime is killed", onCommandLine(sleeping, strike("tool started", "copilot-runtime", "SIGKILL")), 1, "runtime-crashed", 25),
  survived("the harness's driver is stopped for two seconds", onCommandLine(script("{ say: The answer., delay: 1s }"), strikeAndRelease("sending the prompt", "driver.js")), 20),
  fault("the harness's temporary folder is read-only", onCommandLine(quick, (_, scene) => ({ environment: { TMPDIR: join(scene.folder, "prompt.txt") } })), [1, 2], [], 10),
];
