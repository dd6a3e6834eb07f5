/** Every fault that the laboratory knows. */
import { actionFaults } from "./action-faults.ts";
import type { Fault } from "./fault.ts";
import { harnessFaults } from "./harness-faults.ts";
import { machineFaults } from "./machine-faults.ts";
import { modelFaults } from "./model-faults.ts";
import { networkFaults } from "./network-faults.ts";
import { runtimeFaults } from "./runtime-faults.ts";
import { signalFaults } from "./signal-faults.ts";

const runtimeBreaks = runtimeFaults.map((fault) => ({
  ...fault,
  name:
    fault.name.startsWith("nothing") || fault.name.startsWith("the ")
      ? fault.name
      : `the runtime ${fault.name}`,
}));

export const allFaults: readonly Fault[] = [
  ...runtimeBreaks,
  ...modelFaults,
  ...machineFaults,
  ...signalFaults,
  ...networkFaults,
  ...harnessFaults,
  ...actionFaults,
];
