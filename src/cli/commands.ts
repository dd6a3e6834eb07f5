/** Every command of the command line: one line here, one file beside this one. */

import type { Environment } from "../settings/problems.ts";

export type Command = {
  readonly summary: string;
  /** `run` returns the exit code and throws a Failure of kind `configuration` for wrong arguments. */
  readonly load: () => Promise<{
    help: string;
    run: (args: string[], environment: Environment) => number | Promise<number>;
  }>;
};

export const commands: Readonly<Record<string, Command>> = {
  run: {
    summary: "Run one agent session here, under an allow list",
    load: () => import("./run.ts"),
  },
  rehearse: {
    summary: "Run a scripted model through the real runtime: no account, no network, no cost",
    load: () => import("./rehearse.ts"),
  },
  record: {
    summary: "Run once for real, and write the model's side as a script to rehearse",
    load: () => import("./record.ts"),
  },
  explain: {
    summary: "Say whether an allow list allows a command, and why",
    load: () => import("./explain.ts"),
  },
  doctor: {
    summary: "Look at what a run would find here, and say what is missing",
    load: () => import("./doctor.ts"),
  },
  models: {
    summary: "List the models that your credential may use",
    load: () => import("./models.ts"),
  },
  sessions: {
    summary: "List the sessions that the runtime remembers",
    load: () => import("./sessions.ts"),
  },
  completion: {
    summary: "Print a completion script for bash, zsh or fish",
    load: () => import("./completion.ts"),
  },
  lint: {
    summary: "Say what is odd about the entries of an allow list",
    load: () => import("./lint.ts"),
  },
  judge: {
    summary: "Decide the requests of a recorded run again, under another allow list",
    load: () => import("./judge.ts"),
  },
  suggest: {
    summary: "List the entries that would have allowed what a recorded run was denied",
    load: () => import("./suggest.ts"),
  },
  report: {
    summary: "Show what an agent did: one HTML page, or Markdown",
    load: () => import("./report.ts"),
  },
  conformance: {
    summary: "Test any driver against the Copilot SDK Driver Specification",
    load: () => import("./conformance.ts"),
  },
};
