/** A fault: what breaks, when, and what must come of it. */
import type { FailureKind } from "../../src/errors.ts";
import type { Scene } from "./scene.ts";
import type { Aftermath } from "./aftermath.ts";

/** An exit code, or the signal that may end the process before it can listen to signals. */
export type Ending = number | NodeJS.Signals;

/** What the result tells of it: nothing where the result could not be written, or was already. */
export type Told = FailureKind | "nothing";

export type Fault = {
  /** What breaks, and when. */
  name: string;
  endings: readonly Ending[];
  kinds: readonly Told[];
  withinSeconds: number;
  stage: (scene: Scene) => Promise<Aftermath>;
};

const listOf = <Item extends string | number>(items: Item | readonly Item[]): readonly Item[] =>
  typeof items === "object" ? items : [items];

/** One line of the table. */
export const fault = (
  name: string,
  stage: Fault["stage"],
  endings: Ending | readonly Ending[],
  kinds: Told | readonly Told[],
  withinSeconds: number,
): Fault => ({ name, stage, endings: listOf(endings), kinds: listOf(kinds), withinSeconds });

/** A fault that a run survives: it completes all the same. */
export const survived = (name: string, stage: Fault["stage"], withinSeconds: number): Fault =>
  fault(name, stage, 0, [], withinSeconds);
