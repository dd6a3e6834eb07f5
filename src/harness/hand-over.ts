/** Our own driver gets its secrets when it has sealed itself: until then, others of its user can read its environment. */
import type { Duplex } from "node:stream";
import type { DriverContract } from "./environment.ts";

/** The first descriptor after the standard ones. */
export const secretsDescriptor = 3;

export type Secrets = Pick<DriverContract, "COPILOT_CONNECTION_TOKEN" | "COPILOT_SDK_PROVIDER">;

export type Told = { contract: DriverContract; handedOver?: Secrets };

/** Only Linux can seal; elsewhere the environment is as good as any other way. */
export const keepBackSecrets = (whole: DriverContract): Told => {
  if (process.platform !== "linux") return { contract: whole };
  const { COPILOT_CONNECTION_TOKEN, COPILOT_SDK_PROVIDER, ...contract } = whole;
  return {
    contract: { ...contract, COPILOT_DRIVER_SECRETS_FD: String(secretsDescriptor) },
    handedOver: { COPILOT_CONNECTION_TOKEN, COPILOT_SDK_PROVIDER },
  };
};

/** The driver's first word says that it is sealed, or that it cannot be. */
export const handOver = (channel: Duplex, secrets: Secrets): void => {
  channel.on("error", () => undefined);
  channel.once("data", () => channel.end(`${JSON.stringify(secrets)}\n`));
};
