/** Runs a command with the real Bash in a throwaway folder, to see what it does rather than guess it. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endGroup } from "./end-group.ts";

const secret = "the-secret-of-the-throwaway-folder";

export type Observation = {
  /** Whether the harmless program `evil` ran. */
  evilRan: boolean;
  files: string[];
  output: string;
};

const writeProgram = (path: string, text: string): void => {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
};

const run = (command: string, folder: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["--norc", "--noprofile", "-c", command], {
      cwd: join(folder, "work"),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        FUNCNEST: "20",
        PATH: path,
        HOME: join(folder, "work"),
        PROOF: join(folder, "proof"),
        SECRET: secret,
      },
    });
    let output = "";
    const timer = setTimeout(() => endGroup(child), 10_000);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data: Buffer) => {
        if (output.length < 1_000_000) output += data.toString();
      });
    child.once("error", reject);
    // Whatever still runs in the background holds the streams open.
    child.once("close", () => {
      clearTimeout(timer);
      endGroup(child);
      resolve(output);
    });
  });

export const observe = async (command: string): Promise<Observation> => {
  const folder = mkdtempSync(join(tmpdir(), "proof-"));
  try {
    for (const name of ["bin", "work", "work/fake", "work/3"]) mkdirSync(join(folder, name));
    const evil = `: > "$PROOF"`;
    for (const path of [
      "bin/evil",
      "work/evil",
      "work/script",
      "work/fake/git",
      "work/fake/ls",
      "work/3/git",
    ])
      writeProgram(join(folder, path), evil);
    writeFileSync(join(folder, "work/secret.txt"), secret);
    const output = await run(command, folder, `${join(folder, "bin")}:${process.env.PATH}`);
    return {
      evilRan: existsSync(join(folder, "proof")),
      files: readdirSync(join(folder, "work")),
      output,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

/** `runs`, `writes <file>` or `shows secret`. */
export const proves = async (command: string, proof: string): Promise<boolean> => {
  const { evilRan, files, output } = await observe(command);
  if (proof === "runs") return evilRan;
  if (proof === "shows secret") return output.includes(secret);
  return files.includes(proof.replace(/^writes /, ""));
};
