/** One fault from curtain to curtain: staged, judged, cleaned up. */
import { violationsOf, type Aftermath } from "./aftermath.ts";
import type { Fault } from "./fault.ts";
import { openScene } from "./scene.ts";

export type Trial = { fault: Fault; seconds: number; violations: string[]; aftermath: Aftermath };

/** A small generator of our own (mulberry32): the same seed gives the same numbers on every machine. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const tryFault = async (fault: Fault, random: () => number): Promise<Trial> => {
  const scene = openScene(random);
  try {
    const aftermath = await fault.stage(scene);
    const violations = await violationsOf(fault, aftermath, scene);
    return { fault, seconds: aftermath.seconds, violations, aftermath };
  } finally {
    await scene.end();
  }
};
