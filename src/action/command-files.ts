/** The files through which a step tells the runner its outputs, its state and its summary. */
import { appendFileSync, readFileSync } from "node:fs";
import { Failure, messageOf } from "../errors.ts";
import { commandFileNames, type CommandFileName, type CommandFilePaths } from "../settings/action.ts";
import { holdsExactly, writeFresh } from "./own-files.ts";

export type CommandFiles = {
  /** Throws while nothing is spent, if there is no way to tell the outputs or to clean up. */
  check: () => void;
  setOutput: (name: string, value: string) => void;
  saveState: (name: string, value: string) => void;
  takesSummary: boolean;
  summarize: (markdown: string) => void;
  /** Undoes what others did there since the start, and names the files where that worked and where it did not. */
  undoForeignWrites: (allowed: readonly string[]) => { undone: CommandFileName[]; left: CommandFileName[] };
};

/** A value cannot end early: nobody can know the delimiter beforehand. */
const assignment = (name: string, value: string): string => {
  const delimiter = `delimiter_${crypto.randomUUID()}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
};

const read = (path: string | undefined): string | undefined => {
  try {
    return path === undefined ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

export const openCommandFiles = (paths: CommandFilePaths): CommandFiles => {
  const known = new Map(commandFileNames.map((name) => [name, read(paths[name])]));

  const append = (name: CommandFileName, text: () => string): void => {
    const path = paths[name];
    if (path === undefined) return;
    const added = text();
    appendFileSync(path, added);
    known.set(name, (known.get(name) ?? "") + added);
  };

  const checkWritable = (name: CommandFileName, consequence: string): void => {
    try {
      append(name, () => "");
    } catch (error) {
      throw new Failure(
        "configuration",
        `${name}: the file cannot be written, so ${consequence}: ${messageOf(error)}`,
        { advice: "Let the runner set this variable, and free space on its disk." },
      );
    }
  };

  const restore = (name: CommandFileName): boolean => {
    try {
      writeFresh(paths[name] ?? "", known.get(name) ?? "");
      return true;
    } catch {
      return false;
    }
  };

  return {
    check: () => {
      if (paths.GITHUB_OUTPUT === undefined)
        throw new Failure("configuration", "GITHUB_OUTPUT is not set, so this step cannot set its outputs.", {
          advice:
            "Run this as a step of a workflow, on a runner of version 2.297 or later; elsewhere use the command line.",
        });
      checkWritable("GITHUB_OUTPUT", "this step cannot set its outputs");
      checkWritable("GITHUB_STATE", "nothing could clean up, were this step killed");
    },
    setOutput: (name, value) => append("GITHUB_OUTPUT", () => assignment(name, value)),
    saveState: (name, value) => append("GITHUB_STATE", () => assignment(name, value)),
    takesSummary: paths.GITHUB_STEP_SUMMARY !== undefined,
    summarize: (markdown) => append("GITHUB_STEP_SUMMARY", () => markdown),
    undoForeignWrites: (allowed) => {
      const foreign = commandFileNames.filter((name) => {
        const [path, own] = [paths[name], known.get(name)];
        return path !== undefined && own !== undefined && !allowed.includes(name) && !holdsExactly(path, own);
      });
      const left = foreign.filter((name) => !restore(name));
      return { undone: foreign.filter((name) => !left.includes(name)), left };
    },
  };
};
