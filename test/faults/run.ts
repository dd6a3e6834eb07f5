// The fault laboratory.
import { parseArgs } from "node:util";
import type { Fault } from "./fault.ts";
import { endOpenScenes } from "./scene.ts";
import { allFaults } from "./table.ts";
import { randomFrom, tryFault, type Trial } from "./try-fault.ts";

const help = `Usage: npm run faults -- [--seed <number>] [--soak <minutes>] [--only <words>] [--list]

  --seed   The same seed gives the same faults
  --soak   Random faults for so many minutes
  --only   Faults with these words in their name
  --list   What must happen in each, without trying it

Linux only. Faults of a disk mount one, which takes root or user namespaces.`;

const refuse = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
        soak: { type: "string" },
        only: { type: "string", default: "" },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${help}`);
  }
};

const { values } = readArguments();
const numberOf = (option: string, text: string): number =>
  /^\d+(\.\d+)?$/.test(text) ? Number(text) : refuse(`${option} takes a number, not “${text}”`);

const seed = numberOf("--seed", values.seed);
const soakMinutes = values.soak === undefined ? undefined : numberOf("--soak", values.soak);
const exact = allFaults.filter(({ name }) => name === values.only);
const chosen = exact.length > 0 ? exact : allFaults.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) refuse(`No fault has “${values.only}” in its name; --list shows all`);

let cancelled = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    cancelled = true;
    void endOpenScenes();
  });

const describe = ({ fault, seed, violations, aftermath }: Trial): string => {
  const { exitCode, signal, seconds, stderr } = aftermath;
  const ending = String(exitCode ?? signal).padStart(7);
  const time = `${seconds.toFixed(1)} s of ${fault.withinSeconds}`.padStart(13);
  const line = `${violations.length === 0 ? "ok  " : "FAIL"} ${ending} ${time}  ${fault.name}`;
  if (violations.length === 0) return line;
  return [
    line,
    ...violations.map((each) => `       ${each}`),
    `       again: npm run faults -- --seed ${seed} --only "${fault.name}"`,
    ...stderr
      .split("\n")
      .slice(-12)
      .map((each) => `       | ${each.slice(0, 300)}`),
  ].join("\n");
};

type Progress = { trial: Trial; progress: string };

const tryAll = async function* (): AsyncGenerator<Progress> {
  for (const [index, fault] of chosen.entries()) {
    const trial = await tryFault(fault, seed);
    if (cancelled) return;
    yield { trial, progress: `${String(index + 1).padStart(3)}/${chosen.length}` };
  }
};

const soak = async function* (minutes: number): AsyncGenerator<Progress> {
  const random = randomFrom(seed);
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    const fault = chosen[Math.floor(random() * chosen.length)];
    if (fault === undefined) return;
    const trial = await tryFault(fault, Math.floor(random() * 2 ** 31));
    if (cancelled) return;
    yield { trial, progress: `${Math.max((until - performance.now()) / 60_000, 0).toFixed(1)} min left` };
  }
};

const tally = (trials: readonly Trial[]): string[] => {
  const survived = new Map<Fault, number>();
  for (const { fault, violations } of trials)
    survived.set(fault, (survived.get(fault) ?? 0) + (violations.length === 0 ? 1 : 0));
  return [...survived]
    .sort(([, one], [, other]) => other - one)
    .map(([{ name }, times]) => `${String(times).padStart(5)} ×  ${name}`);
};

const experiment = async (): Promise<number> => {
  console.log(`seed ${seed}`);
  const trials: Trial[] = [];
  for await (const { trial, progress } of soakMinutes === undefined ? tryAll() : soak(soakMinutes)) {
    trials.push(trial);
    console.log(`${progress}  ${describe(trial)}`);
  }
  if (soakMinutes !== undefined) console.log(["", "Survived:", ...tally(trials), ""].join("\n"));
  const failed = trials.filter(({ violations }) => violations.length > 0).length;
  console.log(`${trials.length - failed} of ${trials.length} faults ended as they must (seed ${seed})`);
  if (cancelled) console.log("Cancelled before the end");
  return failed === 0 && trials.length > 0 && !cancelled ? 0 : 1;
};

if (values.help) console.log(help);
else if (values.list) {
  for (const { name, endings, kinds, withinSeconds } of chosen)
    console.log(
      `${endings.join("/").padEnd(12)} ${kinds.join("/").padEnd(28)} ${String(withinSeconds).padStart(3)} s  ${name}`,
    );
} else process.exitCode = await experiment();
process.exit();
