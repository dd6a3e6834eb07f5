/** Every command of the command line: one line here, one file beside this one. */

export type Command = {
  readonly summary: string;
  /** `run` returns the exit code and throws a Failure of kind `configuration` for wrong arguments. */
  readonly load: () => Promise<{ run: (args: string[]) => number | Promise<number> }>;
};

export const commands: Readonly<Record<string, Command>> = {
  explain: {
    summary: "Say whether an allow list allows a command, and why",
    load: () => import(/* webpackMode: "eager" */ "./explain.ts"),
  },
  lint: {
    summary: "Say what is odd about the entries of an allow list",
    load: () => import(/* webpackMode: "eager" */ "./lint.ts"),
  },
};
