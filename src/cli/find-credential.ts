/** The caller's own Copilot credential, and where it was found. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { valueOf, type Environment } from "../settings/problems.ts";

export type FoundCredential = { token: string; from: string };

const variables = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];
const patienceMs = 5_000;

const askGh = async (environment: Environment): Promise<FoundCredential | undefined> => {
  try {
    const options = { env: environment as NodeJS.ProcessEnv, timeout: patienceMs };
    const { stdout } = await promisify(execFile)("gh", ["auth", "token"], options);
    return stdout.trim() === "" ? undefined : { token: stdout.trim(), from: "gh auth token" };
  } catch {
    return undefined;
  }
};

export const findCredential = async (environment: Environment): Promise<FoundCredential | undefined> => {
  for (const name of variables) {
    const token = valueOf(environment, name);
    if (token !== undefined) return { token, from: name };
  }
  return askGh(environment);
};
