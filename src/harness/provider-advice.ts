/** What to do when a provider of one's own refuses: the usual advice speaks of Copilot's credential and models. */
import type { SessionResult } from "../session/result.ts";
import type { HarnessSettings } from "./settings.ts";

const adviceFor = ({ errorKind }: SessionResult, model: string): string | undefined => {
  switch (errorKind) {
    case "authentication":
      return "Check `provider-api-key` and `provider-base-url`: the provider refused the key.";
    case "model-unavailable":
      return `Check \`model\` and \`provider-base-url\`: the provider offers no ${JSON.stringify(model)} there.`;
    default:
      return undefined;
  }
};

export const withProviderAdvice = (
  result: SessionResult,
  { credential, model }: HarnessSettings,
): SessionResult => {
  const advice = credential.kind === "provider" ? adviceFor(result, model) : undefined;
  return advice === undefined ? result : { ...result, advice };
};
