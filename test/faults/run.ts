// The fault laboratory. Usage: npm run faults -- [--seed <number>] [--soak <minutes>] [--only <words>] [--list]
import { parseArgs } from "node:util";
import { allFaults } from "./table.ts";
import { randomFrom, tryFault, type Trial } from "./try-fault.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    soak: { type: "string" },
    only: { type: "string", default: "" },
    list: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const chosen = allFaults.filter(({ name }) => name.includes(values.only));

const describe = ({ fault, seconds, violations, aftermath }: Trial): string => {
  const ending = String(aftermath.exitCode ?? aftermath.signal).padStart(7);
  const time = `${seconds.toFixed(1)} s of ${fault.withinSeconds}`.padStart(13);
  const line = `${violations.length === 0 ? "ok  " : "FAIL"} ${ending} ${time}  ${fault.name}`;
  if (violations.length === 0) return line;
  const said = aftermath.stderr.split("\n").slice(-12);
  return [
    line,
    ...violations.map((each) => `       ${each}`),
    ...said.map((each) => `       | ${each.slice(0, 300)}`),
  ].join("\n");
};

const tryAll = async function* (): AsyncGenerator<Trial> {
  for (const [index, fault] of chosen.entries()) yield tryFault(fault, randomFrom(seed + index));
};

const soak = async function* (minutes: number): AsyncGenerator<Trial> {
  const random = randomFrom(seed);
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until) {
    const fault = chosen[Math.floor(random() * chosen.length)];
    if (fault) yield tryFault(fault, random);
  }
};

if (values.list) {
  for (const { name, endings, kinds, withinSeconds } of chosen)
    console.log(
      `${endings.join("/").padEnd(12)} ${kinds.join("/").padEnd(28)} ${String(withinSeconds).padStart(3)} s  ${name}`,
    );
} else {
  console.log(`seed ${seed}`);
  let [tried, failed] = [0, 0];
  for await (const trial of values.soak === undefined ? tryAll() : soak(Number(values.soak))) {
    tried += 1;
    if (trial.violations.length > 0) failed += 1;
    console.log(describe(trial));
  }
  console.log(`${tried - failed} of ${tried} faults ended as they must (seed ${seed})`);
  process.exitCode = failed === 0 && tried > 0 ? 0 : 1;
}
process.exit();
