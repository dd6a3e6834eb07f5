import { Failure } from "../../src/errors.ts";
import { checkCredential, secretsOf, type Provider } from "../../src/harness/credentials.ts";

const failureOf = (check: () => void): Failure => {
  try {
    check();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("It was accepted.");
};

const checkToken = (token: string) => () => checkCredential({ kind: "copilot", token });
const checkProvider = (changes: Partial<Provider>) => () =>
  checkCredential({
    kind: "provider",
    provider: { type: "openai", baseUrl: "https://models.example/v1", apiKey: "sk-1234", ...changes },
  });

describe("a Copilot token", () => {
  it.each(["ghs_abc", "github_pat_abc", "gho_abc", "ghu_abc"])("is accepted as %s", (token) => {
    expect(checkToken(token)).not.toThrow();
  });

  it("is refused with advice when it is a classic personal access token", () => {
    const failure = failureOf(checkToken("ghp_0123456789abcdef"));
    expect(failure).toMatchObject({ kind: "authentication", exitCode: 1, retryable: false });
    expect(failure.message).toContain("classic personal access token (ghp_)");
    expect(failure.advice).toContain("copilot-requests: write");
  });

  it.each([
    ["is empty", ""],
    ["contains white space", "ghs_abc\n"],
    ["has no prefix of a GitHub token", "hunter2-hunter2"],
  ])("is refused when it %s, without being shown", (what, token) => {
    const failure = failureOf(checkToken(token));
    expect(failure.message).toBe(`The Copilot token ${what}.`);
    expect(failure.advice).not.toContain("hunter2");
  });
});

describe("a provider", () => {
  it("is accepted with and without a key", () => {
    expect(checkProvider({})).not.toThrow();
    expect(() =>
      checkCredential({ kind: "provider", provider: { type: "openai", baseUrl: "http://127.0.0.1:1/v1" } }),
    ).not.toThrow();
  });

  it.each([
    ["not a URL", { baseUrl: "models.example" }, "is not a URL"],
    ["another scheme", { baseUrl: "file:///etc/passwd" }, "must begin with https"],
    ["a password", { baseUrl: "https://me:pw@models.example" }, "must not contain a user name"],
    ["a query", { baseUrl: "https://models.example/?a=b" }, "must not contain a query"],
    ["an empty key", { apiKey: "" }, "API key is empty"],
    ["a key with a line break", { apiKey: "sk-1\r\nx-evil: 1" }, "white space"],
  ])("is refused with %s", (_, changes, message) => {
    const failure = failureOf(checkProvider(changes));
    expect(failure).toMatchObject({ kind: "configuration", exitCode: 2 });
    expect(failure.message).toContain(message);
  });
});

describe("the secrets of a credential", () => {
  it("are the token or the key", () => {
    expect(secretsOf({ kind: "copilot", token: "ghs_a" })).toEqual(["ghs_a"]);
    expect(
      secretsOf({ kind: "provider", provider: { type: "azure", baseUrl: "https://x", apiKey: "k" } }),
    ).toEqual(["k"]);
    expect(secretsOf({ kind: "scripted", environment: {} })).toEqual([]);
  });
});
