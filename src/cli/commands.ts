/** Every command of the command line: one line here, one file beside this one. */

import type { Environment } from "../settings/problems.ts";

export type Command = {
  readonly summary: string;
  /** `run` returns the exit code and throws a Failure of kind `configuration` for wrong arguments. */
  readonly load: () => Promise<{
    run: (args: string[], environment: Environment) => number | Promise<number>;
  }>;
};

export const commands: Readonly<Record<string, Command>> = {
  run: {
    summary: "Run one agent session here, under an allow list",
    load: () => import(/* webpackMode: "eager" */ "./run.ts"),
  },
  rehearse: {
    summary: "Run a scripted model through the real runtime: no account, no network, no cost",
    load: () => import(/* webpackMode: "eager" */ "./rehearse.ts"),
  },
  record: {
    summary: "Run once for real, and write the model's side as a script to rehearse",
    load: () => import(/* webpackMode: "eager" */ "./record.ts"),
  },
  explain: {
    summary: "Say whether an allow list allows a command, and why",
    load: () => import(/* webpackMode: "eager" */ "./explain.ts"),
  },
  doctor: {
    summary: "Look at what a run would find here, and say what is missing",
    load: () => import(/* webpackMode: "eager" */ "./doctor.ts"),
  },
  models: {
    summary: "List the models that your credential may use",
    load: () => import(/* webpackMode: "eager" */ "./models.ts"),
  },
  sessions: {
    summary: "List the sessions that the runtime remembers",
    load: () => import(/* webpackMode: "eager" */ "./sessions.ts"),
  },
  completion: {
    summary: "Print a completion script for bash, zsh or fish",
    load: () => import(/* webpackMode: "eager" */ "./completion.ts"),
  },
  lint: {
    summary: "Say what is odd about the entries of an allow list",
    load: () => import(/* webpackMode: "eager" */ "./lint.ts"),
  },
  judge: {
    summary: "Decide the requests of a recorded run again, under another allow list",
    load: () => import(/* webpackMode: "eager" */ "./judge.ts"),
  },
  suggest: {
    summary: "List the entries that would have allowed what a recorded run was denied",
    load: () => import(/* webpackMode: "eager" */ "./suggest.ts"),
  },
  report: {
    summary: "Show what an agent did: one HTML page, or Markdown",
    load: () => import(/* webpackMode: "eager" */ "./report.ts"),
  },
  conformance: {
    summary: "Test any driver against the Copilot SDK Driver Specification",
    load: () => import(/* webpackMode: "eager" */ "./conformance.ts"),
  },
};
