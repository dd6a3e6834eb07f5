/** The throwaway directory in which a rehearsal's session works. */
import { realpathSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRunFolder } from "../harness/run-folder.ts";
import { inWorkspace } from "./fill-in.ts";
import type { Rehearsal } from "./script.ts";

export type PreparedRehearsal = {
  directory: string;
  /** With `{{workspace}}` filled in. */
  rehearsal: Rehearsal;
  remove: () => Promise<void>;
};

export const prepareWorkspace = async (rehearsal: Rehearsal): Promise<PreparedRehearsal> => {
  // Without symlinks in its path, as the policy and the runtime compare real paths.
  const { path: directory, remove } = createRunFolder(realpathSync(tmpdir()), "rehearsal-");
  try {
    for (const [path, content] of Object.entries(rehearsal.files)) {
      const place = join(directory, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, content);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, rehearsal: inWorkspace(rehearsal, directory), remove };
};
