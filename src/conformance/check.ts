/** One requirement of the specification as an experiment: what was required, and what was observed. */
import type { Laboratory } from "./laboratory.ts";

export type Level = 1 | 2 | 3;

export type Finding = { required: string; observed: string; ok: boolean };

export type Check = {
  /** The specification's own test id, or the section of a requirement that its list of tests leaves out. */
  id: string;
  level: Level;
  /** As the specification says it. */
  requirement: string;
  examine: (laboratory: Pick<Laboratory, "observe">) => Promise<Finding[]>;
};

export const finding = (required: string, ok: boolean, observed: string): Finding => ({
  required,
  observed,
  ok,
});
