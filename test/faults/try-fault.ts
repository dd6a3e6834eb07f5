/** One fault from curtain to curtain: staged, judged, cleaned up. */
import { violationsOf, type Aftermath } from "./aftermath.ts";
import type { Fault } from "./fault.ts";
import { openScene } from "./scene.ts";

export type Trial = { fault: Fault; seed: number; violations: string[]; aftermath: Aftermath };

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

/** Of the seed and the fault's own name: alone it does what it did among all others. */
const randomFor = ({ name }: Fault, seed: number): (() => number) =>
  randomFrom([...name].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), seed));

export const tryFault = async (fault: Fault, seed: number): Promise<Trial> => {
  const scene = openScene(randomFor(fault, seed));
  try {
    const aftermath = await fault.stage(scene);
    return { fault, seed, violations: await violationsOf(fault, aftermath, scene), aftermath };
  } catch (error) {
    const aftermath = { exitCode: null, signal: null, stdout: "", stderr: "", seconds: 0 };
    return { fault, seed, violations: [`could not be staged: ${String(error)}`], aftermath };
  } finally {
    await scene.end();
  }
};
