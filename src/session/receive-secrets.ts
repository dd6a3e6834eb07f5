import { Socket } from "node:net";
import { Failure, messageOf } from "../errors.ts";
import { sealThisProcess } from "../harness/seal.ts";
import { linesOf } from "../lines.ts";
import { isRecord, type Environment } from "../settings/problems.ts";

/** Sealed first: whoever hands the secrets over waits for the word that nobody can read them here any more. */
const askFor = async (descriptor: number): Promise<Environment> => {
  sealThisProcess();
  const channel = new Socket({ fd: descriptor });
  channel.write("sealed\n");
  for await (const line of linesOf(channel)) {
    const secrets: unknown = JSON.parse(line);
    if (isRecord(secrets)) return secrets as Environment;
  }
  throw new Error("it was closed");
};

/** The variables that our harness keeps out of the environment, which can be read from this process's first moment. */
export const receiveSecrets = (descriptor: string): Promise<Environment> =>
  askFor(Number(descriptor)).catch((error: unknown) => {
    throw new Failure(
      "configuration",
      `COPILOT_DRIVER_SECRETS_FD: no secrets came over ${descriptor} (${messageOf(error)})`,
    );
  });
