import { isRecord, parseJson, valueOf, type Environment, type Problems } from "./problems.ts";
import { parseUrl } from "../parse-url.ts";

/** Which service answers the model calls: GitHub's (none given), one provider, or gh-aw's catalogue of several. */
export type ProviderSettings =
  | { kind: "copilot" }
  | { kind: "single"; provider: Record<string, unknown> }
  | { kind: "catalogue"; providers: Record<string, unknown>[]; models: Record<string, unknown>[] };

const single = "COPILOT_SDK_PROVIDER";
const catalogue = "GH_AW_COPILOT_SDK_MULTI_PROVIDER_JSON";
const types = ["openai", "azure", "anthropic"];

/** The one "key" that a driver may see: without any, the runtime would ask Azure for a managed identity. */
export const placeholderKey = "held-by-the-broker";

const isRecordArray = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isRecord);

const readSingle = (parsed: unknown, problems: Problems): ProviderSettings => {
  if (!isRecord(parsed) || typeof parsed["baseUrl"] !== "string" || !parseUrl(parsed["baseUrl"])) {
    problems.add(`${single} must be a JSON object with a baseUrl`);
    return { kind: "copilot" };
  }
  if (parsed["type"] !== undefined && !types.some((type) => type === parsed["type"])) {
    problems.add(`${single} has an unknown type; allowed: ${types.join(", ")}`);
  }
  for (const secret of ["apiKey", "bearerToken"].filter(
    (key) => key in parsed && parsed[key] !== placeholderKey,
  )) {
    problems.add(
      `${single} must not hold ${secret}: keys stay with the harness, whose broker adds them on the way out`,
    );
  }
  return { kind: "single", provider: parsed };
};

const readCatalogue = (parsed: unknown, problems: Problems): ProviderSettings => {
  if (!isRecord(parsed) || !isRecordArray(parsed["providers"]) || !isRecordArray(parsed["models"])) {
    problems.add(`${catalogue} must be {"model"?: string, "providers": object[], "models": object[]}`);
    return { kind: "copilot" };
  }
  return { kind: "catalogue", providers: parsed["providers"], models: parsed["models"] };
};

export const readProvider = (environment: Environment, problems: Problems): ProviderSettings => {
  for (const [name, read] of [
    [single, readSingle],
    [catalogue, readCatalogue],
  ] as const) {
    const text = valueOf(environment, name);
    if (text === undefined) continue;
    const parsed = parseJson(text, name, problems);
    return parsed === undefined ? { kind: "copilot" } : read(parsed, problems);
  }
  return { kind: "copilot" };
};

const isLoopback = ({ hostname }: URL): boolean => /^(?:127\.[\d.]+|localhost|\[::1\])$/.test(hostname);

const secretsOfOne = ({ baseUrl, headers }: Record<string, unknown>): string[] => {
  const url = parseUrl(String(baseUrl));
  const segments = url && isLoopback(url) ? url.pathname.split("/") : [];
  const credentials = Object.entries(isRecord(headers) ? headers : {})
    .filter(([name]) => /token|key|secret|pass|auth|cookie/i.test(name))
    .flatMap(([, value]) => [String(value), String(value).replace(/^\S+\s+/, "")]);
  return [...credentials, ...segments.filter((segment) => segment.length >= 32)];
};

/** What lets its holder use a provider: headers that are credentials by their name, and the way into a broker on this machine. */
export const secretsOfProvider = (settings: ProviderSettings): string[] => {
  switch (settings.kind) {
    case "copilot":
      return [];
    case "single":
      return secretsOfOne(settings.provider);
    case "catalogue":
      return settings.providers.flatMap(secretsOfOne);
  }
};
