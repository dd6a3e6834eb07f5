/** Rehearsals, in YAML, for faults of the whole pipeline. */
export const script = (...steps: string[]): string =>
  `allow: all\nsteps:\n${steps.map((step) => `  - ${step}\n`).join("")}`;

export const quick = script("{ say: The answer. }");
export const sleeping = script(
  "{ tool: bash, with: { command: sleep 60, description: x, mode: sync } }",
  "{ say: Slept. }",
);
