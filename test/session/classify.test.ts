import { failureFrom, failureFromSessionError } from "../../src/session/classify.ts";

const rpcError = (code: number, message: string) => Object.assign(new Error(message), { code });

it.each([
  [rpcError(-32002, "AUTHENTICATION_FAILED: bad token"), "authentication"],
  [rpcError(-32603, 'Request session.create failed: Model "x" is not available.'), "model-unavailable"],
  [rpcError(-32097, "Pending response rejected since connection got disposed"), "runtime-crashed"],
  [new Error("Failed to connect to CLI server: connect ECONNREFUSED 127.0.0.1:1"), "connection"],
  [
    new Error("SDK protocol version mismatch: SDK supports versions 3-3, but server reports version 2."),
    "protocol-mismatch",
  ],
  [new Error("No GitHub OAuth token or Copilot HMAC key provided"), "authentication"],
  [new Error("Connection is closed."), "runtime-crashed"],
  [rpcError(-32099, "x"), "runtime-crashed"],
  [new Error("Session was not created with authentication info or custom provider"), "authentication"],
  [new Error("took 4015 ms"), "unknown"],
  ["just a string", "unknown"],
  [undefined, "unknown"],
])("classifies %s as %s", (error, kind) => {
  expect(failureFrom(error).kind).toBe(kind);
});

it.each([
  [{ errorType: "authentication", message: "x", statusCode: 401 }, "authentication"],
  [{ errorType: "rate_limit", message: "x", statusCode: 429 }, "rate-limit"],
  [{ errorType: "quota", message: "x", statusCode: 429 }, "quota"],
  [
    { errorType: "query", errorCode: "model_not_supported", message: "x", statusCode: 400 },
    "model-unavailable",
  ],
  [{ errorType: "context_limit", message: "x", statusCode: 400 }, "context-length"],
  [
    { errorType: "query", errorCode: "context_length_exceeded", message: "x", statusCode: 400 },
    "context-length",
  ],
  [{ errorType: "query", errorCode: "content_filter", message: "x" }, "content-filter"],
  [{ errorType: "query", message: "the request took 4015 ms" }, "unknown"],
  [{ errorType: "query", statusCode: 402, message: "x" }, "quota"],
  [{ errorType: "query", statusCode: 413, message: "x" }, "context-length"],
  [{ errorType: "query", message: "502 The provider cannot be reached." }, "connection"],
  [{ errorType: 7, message: { not: "text" } }, "unknown"],
])("classifies a session error by its fields: %j", (data, kind) => {
  expect(failureFromSessionError(data).kind).toBe(kind);
});

it("lets a run be repeated when the service broke, and not when the request was wrong", () => {
  expect(failureFromSessionError({ errorType: "query", statusCode: 503, message: "x" }).retryable).toBe(true);
  expect(failureFromSessionError({ errorType: "query", statusCode: 400, message: "x" }).retryable).toBe(
    false,
  );
});
