import fc from "fast-check";
import { createRedactor } from "../src/redact.ts";

const secret = "s3cr3t+val/ue=with:odd chars";
/** Its base64 holds both of the letters that base64url writes differently. */
const binary = "\u{fbff}\u{fbef}?>?>ÿþ?>ÿ";
const { text, json } = createRedactor([secret, "other-held-secret", binary]);
const none = createRedactor([]);

/** Assembled here, so that no scanner takes a test for a leak. */
const credentials: Record<string, string> = {
  "a classic GitHub token": `ghp_${"a1B2c3D4".repeat(5)}`,
  "an installation token": `ghs_${"a1B2c3D4".repeat(5)}`,
  "a fine-grained token": `github_pat_${"11ABCDEFG0".repeat(5)}_x`,
  "an OpenAI key": `sk-${"Ab3".repeat(16)}`,
  "an OpenAI project key": `sk-proj-${"Ab3_-".repeat(12)}`,
  "an Anthropic key": `sk-ant-api03-${"Ab3-".repeat(20)}`,
  "an AWS key id": `AKIA${"ABCDEFGH12345678"}`,
  "a Slack token": `xoxb-${"123456789012-".repeat(2)}abcDEF`,
  "a Slack browser token": `xoxc-${"123456789012-".repeat(2)}abcDEF`,
  "a Slack cookie": `xoxd-${"aB3%2F".repeat(6)}`,
  "a JSON web token": `eyJ${"hbGciOiJI"}.eyJ${"zdWIiOiIx"}.${"SflKxwRJSM"}`,
  "a private key": `-----BEGIN RSA PRIVATE KEY-----\nMIIE${"x".repeat(40)}\n-----END RSA PRIVATE KEY-----`,
};

it.each(Object.entries(credentials))("takes out %s, wherever it stands", (_what, credential) => {
  for (const around of [
    `${credential}`,
    `x ${credential} y`,
    `token=${credential}`,
    `"${credential}"`,
    `(${credential})`,
    `line\\n${credential}\\n`,
    `{"note":"line\\\\n${credential}"}`,
    `line\\u000a${credential}`,
    `line%0A${credential}`,
    `\u001b[1;31m${credential}\u001b[0m`,
  ]) {
    expect(none.text(around)).not.toContain(credential.slice(8, 16));
    expect(none.text(around)).toContain("[redacted]");
  }
  expect(none.json({ nested: [{ value: credential }] })).not.toContain(credential.slice(8, 16));
});

it.each([
  ["https://user:hunter2@example.com/x", "https://[redacted]@example.com/x"],
  ["postgres://user:p@ss#word@db.example/x", "postgres://[redacted]@db.example/x"],
  ["https://a-token-alone@example.com/x", "https://[redacted]@example.com/x"],
  ["line\\nauthorization: abcdefgh", "line\\nauthorization: [redacted]"],
  ["Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization: Basic [redacted]"],
  ["authorization: token abcdefgh12345678", "authorization: token [redacted]"],
  ["Bearer abcDEF123456", "Bearer [redacted]"],
  ["aws_secret_access_key = " + "aB3/".repeat(10), "aws_secret_access_key = [redacted]"],
])("keeps what is around a credential: %s", (input, output) => {
  expect(none.text(input)).toBe(output);
});

it.each([
  "0f8fad5b-d9cb-469f-a165-70867728950e",
  "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
  "The basic authentication of the bearer was explained at https://example.com/a:b@c.",
  "risk-based-scheduling-of-the-next-release and task-oriented programming",
  "git log --author=someone@example.com sk-learn",
  "git clone ssh://git@example.com/x and https://example.com/@scope/name?mail=someone@example.com",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
])("leaves session ids, git SHAs and prose alone: %s", (prose) => {
  expect(text(prose)).toBe(prose);
});

it("takes out values that we hold, plain, base64, URL-encoded, hex and reversed", () => {
  const forms = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    new URLSearchParams({ secret }).toString().slice("secret=".length),
    Buffer.from(secret).toString("hex"),
    [...secret].reverse().join(""),
    ...["", "x", "xx", "xxx"].map((before) => Buffer.from(`${before}${secret}yy`).toString("base64")),
    ...["", "x", "xx"].map((before) => Buffer.from(`${before}${binary}y`).toString("base64url")),
  ];
  for (const form of forms) expect(text(`before ${form} after`)).not.toContain(form.slice(8, 24));
  expect(json({ [secret]: [`in ${secret}`] })).toBe('{"[redacted]":["in [redacted]"]}');
});

it("finds a held value also where JSON escapes it", () => {
  const { json: toJson } = createRedactor(['quote"and\\slash']);
  expect(toJson({ value: 'a quote"and\\slash b' })).toBe('{"value":"a [redacted] b"}');
});

it("changes nothing when it is applied twice", () => {
  const pieces = fc.constantFrom(
    ...Object.values(credentials),
    secret,
    "Bearer ",
    "authorization: ",
    "https://a:b@c/",
    "https://a@",
    "aws_secret_access_key=",
    "aB3/".repeat(10),
    "\\n",
    "\n",
    " ",
    "x",
    "sk-",
    "=",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const once = text(parts.join(""));
      expect(text(once)).toBe(once);
    }),
    { numRuns: 2_000 },
  );
});

it("ignores values too short to be a secret", () => {
  expect(createRedactor(["", "ab"]).text("abc")).toBe("abc");
});

it.each(["sk-", "-eyJ", "a://", "xoxb-", "authorization: ", "https://a:"])(
  "takes a megabyte of %s in its stride",
  (piece) => {
    const hostile = `${"a".repeat(500_000)}://x@ ${piece.repeat(500_000 / piece.length)}`;
    const before = performance.now();
    none.text(hostile);
    expect(performance.now() - before).toBeLessThan(10_000);
  },
);
