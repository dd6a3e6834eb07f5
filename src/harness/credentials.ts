/** The one credential of a run, checked before anything starts. */
import { Failure } from "../errors.ts";
import { parseUrl } from "../parse-url.ts";

export const providerTypes = ["openai", "azure", "anthropic"] as const;
export const wireApis = ["completions", "responses"] as const;

export type Provider = {
  type: (typeof providerTypes)[number];
  baseUrl: string;
  /** Local providers may need none. */
  apiKey?: string;
  wireApi?: (typeof wireApis)[number];
  /** Azure only. */
  apiVersion?: string;
};

export type Credential =
  | { kind: "copilot"; token: string }
  | { kind: "provider"; provider: Provider }
  /** What a scripted model's sidecar needs, in place of a credential. */
  | { kind: "scripted"; environment: Readonly<Record<string, string>> };

const accepted = ["ghs_", "github_pat_", "gho_", "ghu_"];
const acceptedText =
  "an installation token (ghs_), a fine-grained one (github_pat_) or a user's (gho_, ghu_)";

const refuseToken = (what: string, advice?: string): never => {
  throw new Failure("authentication", `The Copilot token ${what}.`, { ...(advice && { advice }) });
};

const checkToken = (token: string): void => {
  if (token === "") refuseToken("is empty", `Give ${acceptedText}.`);
  if (/\s/.test(token))
    refuseToken("contains white space", "Store it again without a line break or a blank.");
  if (token.startsWith("ghp_"))
    refuseToken(
      "is a classic personal access token (ghp_), which Copilot does not accept",
      "Create a fine-grained token with the “Copilot Requests” permission, or in Actions grant `copilot-requests: write` to the job's token.",
    );
  if (!accepted.some((prefix) => token.startsWith(prefix)))
    refuseToken("has no prefix of a GitHub token", `Give ${acceptedText}.`);
};

const refuseProvider = (what: string): never => {
  throw new Failure("configuration", `The provider's ${what}`);
};

const checkProvider = ({ baseUrl, apiKey }: Provider): void => {
  const url = parseUrl(baseUrl) ?? refuseProvider(`base URL is not a URL: ${JSON.stringify(baseUrl)}.`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    refuseProvider("base URL must begin with https:// or http://.");
  if (url.username || url.password) refuseProvider("base URL must not contain a user name or password.");
  if (url.search || url.hash) refuseProvider("base URL must not contain a query or a fragment.");
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    refuseProvider("API key is empty or contains white space or special characters.");
};

export const checkCredential = (credential: Credential): void => {
  if (credential.kind === "copilot") checkToken(credential.token);
  if (credential.kind === "provider") checkProvider(credential.provider);
};

export const secretsOf = (credential: Credential): string[] => {
  switch (credential.kind) {
    case "copilot":
      return [credential.token];
    case "provider":
      return credential.provider.apiKey === undefined ? [] : [credential.provider.apiKey];
    case "scripted":
      return [];
  }
};
