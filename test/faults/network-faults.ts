/** The network between driver and runtime breaks. */
import { fault, survived, type Fault } from "./fault.ts";
import { after, dribble, slow, type Line } from "./proxy.ts";
import { allowAll, bash, inWeather, stallAfter, timeOutAfter } from "./stages.ts";

const working = [bash("echo one"), { text: "The answer." }];
const cut = ({ driver }: Line): void => void driver.destroy();
const reset = ({ driver }: Line): void => void driver.resetAndDestroy();
const silence = (): void => undefined;
const patient = { environment: allowAll };
const impatient = { environment: { ...allowAll, ...stallAfter(1_500) } };
const lost: ("connection" | "runtime-crashed" | "stalled")[] = ["connection", "runtime-crashed", "stalled"];

// prettier-ignore
export const networkFaults: readonly Fault[] = [
  survived("every packet takes 150 ms", inWeather(() => ({ toDriver: slow(150), toRuntime: slow(150) }), working, patient), 60),
  survived("frames arrive in pieces of seven bytes", inWeather(() => ({ toDriver: dribble }), working, patient), 60),
  fault("the line is cut at the first byte", inWeather(() => ({ onConnect: cut }), working, patient), 1, lost, 10),
  fault("the line is cut after 2 kB", inWeather(() => ({ toDriver: after(2_000, cut) }), working, patient), 1, lost, 15),
  fault("the line is cut after a random number of bytes", inWeather(({ random }) => ({ toDriver: after(Math.floor(random() * 20_000), cut) }), working, patient), 1, lost, 15),
  fault("the line is reset after a random number of bytes", inWeather(({ random }) => ({ toDriver: after(Math.floor(random() * 20_000), reset) }), working, patient), 1, lost, 15),
  fault("the line falls silent after 10 kB", inWeather(() => ({ toDriver: after(10_000, silence) }), working, impatient), [1, 124], lost, 60),
  fault("what the driver sends is lost after 1 kB", inWeather(() => ({ toRuntime: after(1_000, silence) }), working, { environment: { ...allowAll, ...timeOutAfter(4_000) } }), 124, "timeout", 60),
  fault("the runtime's half of the line is closed", inWeather(() => ({ toDriver: after(6_000, ({ driver }) => void driver.end()) }), working, impatient), [1, 124], lost, 30),
];
