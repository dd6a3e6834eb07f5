/** What answers the agent's model calls: Copilot, a provider of the user's own, or a script. */
import { providerTypes, wireApis, type Credential, type Provider } from "../harness/credentials.ts";
import type { Rehearsal } from "../rehearsal/script.ts";
import type { OptionReader } from "./option-values.ts";
import type { Problems } from "./problems.ts";
import type { RunContext } from "./run-context.ts";
import { readOptionFile } from "./run-files.ts";

const providerOf = (options: OptionReader, problems: Problems): Provider | undefined => {
  const baseUrl = options.text("provider-base-url");
  const apiKey = options.text("provider-api-key");
  const type = options.choice("provider-type", providerTypes);
  const wireApi = options.choice("provider-wire-api", wireApis);
  if (baseUrl === undefined) {
    const alone = (["provider-type", "provider-api-key", "provider-wire-api"] as const).filter((name) =>
      options.isGiven(name),
    );
    if (alone.length > 0) problems.add(`provider-base-url: ${alone.join(", ")} is given without it`);
    return undefined;
  }
  if (options.text("model") === "auto")
    problems.add("model: name the provider's model; auto is Copilot's alone");
  return {
    type: type ?? "openai",
    baseUrl,
    ...(apiKey !== undefined && { apiKey }),
    ...(wireApi !== undefined && { wireApi }),
  };
};

export const credentialOf = (options: OptionReader, problems: Problems): Credential => {
  const provider = providerOf(options, problems);
  return provider === undefined
    ? { kind: "copilot", token: options.text("github-token") ?? "" }
    : { kind: "provider", provider };
};

export const rehearsalOf = async (
  options: OptionReader,
  context: RunContext,
  problems: Problems,
): Promise<Rehearsal | undefined> => {
  const file = options.text("rehearsal");
  if (file === undefined) return undefined;
  const { defaultScript } = await import("../rehearsal/default-script.ts");
  const text = file === "default" ? defaultScript : readOptionFile("rehearsal", file, context, problems);
  if (text === undefined) return undefined;
  const { parseScript, describeMistakes } = await import("../rehearsal/script.ts");
  const parsed = parseScript(text);
  if (parsed.kind === "rehearsal") return parsed.rehearsal;
  problems.add(`rehearsal: ${describeMistakes(file, parsed.mistakes)}`);
  return undefined;
};
