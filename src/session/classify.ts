import { Failure, messageOf, type FailureKind } from "../errors.ts";

/** Turns what the runtime and the SDK report into one of our failure kinds: fields first, text last. */

type Reported = {
  code?: unknown;
  errorType?: unknown;
  errorCode?: unknown;
  statusCode?: unknown;
  message: string;
};

const byRpcCode: Record<number, FailureKind> = {
  [-32002]: "authentication",
  [-32097]: "runtime-crashed",
  [-32099]: "runtime-crashed",
};

const byStatus: Record<number, FailureKind> = {
  401: "authentication",
  402: "quota",
  403: "authentication",
  408: "timeout",
  413: "context-length",
  429: "rate-limit",
};

/** The runtime's `errorType` and `errorCode` values; the first word that fits wins. */
const byField: readonly (readonly [RegExp, FailureKind])[] = [
  [/quota|billing|insufficient_funds|credits/i, "quota"],
  [/rate_?limit/i, "rate-limit"],
  [/context_(?:length|limit|window)|prompt_too_long|too_many_tokens/i, "context-length"],
  [/content_?(?:filter|policy)|responsible_ai/i, "content-filter"],
  [/auth|unauthorized|forbidden/i, "authentication"],
  [/model_not|unsupported_model|model_unavailable|model_policy/i, "model-unavailable"],
];

const byText: readonly (readonly [RegExp, FailureKind])[] = [
  [/protocol version mismatch/i, "protocol-mismatch"],
  [/no response was returned/i, "empty-answer"],
  [
    /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|Timeout connecting to CLI server|Failed to connect to CLI server|The provider cannot be reached/,
    "connection",
  ],
  [
    /AUTHENTICATION_FAILED|No GitHub OAuth token|not created with authentication info|\b401\b|\bnot authenticated\b|\bunauthorized\b/i,
    "authentication",
  ],
  [/\bmodel\b.*\bnot (?:available|supported|found)\b/i, "model-unavailable"],
  [/\brate[ -]limit/i, "rate-limit"],
  [/\bquota\b|\bpremium requests\b/i, "quota"],
  [/\bcontext (?:length|window)\b|\bprompt is too long\b/i, "context-length"],
  [/\bcontent (?:filter|management policy)/i, "content-filter"],
  [/connection (?:is |got )?(?:closed|disposed|lost|reset)|ECONNRESET|EPIPE/i, "runtime-crashed"],
];

const match = (table: readonly (readonly [RegExp, FailureKind])[], text: unknown): FailureKind | undefined =>
  typeof text === "string" ? table.find(([pattern]) => pattern.test(text))?.[1] : undefined;

export const kindOf = (reported: Reported): FailureKind =>
  byRpcCode[Number(reported.code)] ??
  match(byField, reported.errorCode) ??
  match(byField, reported.errorType) ??
  byStatus[Number(reported.statusCode)] ??
  match(byText, reported.message) ??
  "unknown";

export const failureFrom = (error: unknown): Failure => {
  if (error instanceof Failure) return error;
  const message = messageOf(error);
  return new Failure(kindOf({ code: (error as { code?: unknown } | undefined)?.code, message }), message, {
    cause: error,
  });
};

/** Before there is a session, the driver's own settings are to blame: names the one. */
export const failureToConnect = (error: unknown): Failure => {
  const failure = failureFrom(error);
  switch (failure.kind) {
    case "authentication":
      return new Failure(
        failure.kind,
        `COPILOT_CONNECTION_TOKEN: the runtime refused it (${failure.message})`,
        {
          cause: error,
          advice: "Give the driver the connection token that the Copilot runtime was started with.",
        },
      );
    case "connection":
    case "runtime-crashed":
      return new Failure("connection", `COPILOT_SDK_URI: ${failure.message}`, { cause: error });
    default:
      return failure;
  }
};

export const failureFromSessionError = (data: Record<string, unknown>): Failure => {
  const message = typeof data["message"] === "string" ? data["message"] : "The session reported an error";
  const kind = kindOf({ ...data, code: undefined, message });
  // The service broke, not the request: another run may find it whole.
  return new Failure(kind, message, Number(data["statusCode"]) >= 500 ? { retryable: true } : {});
};
