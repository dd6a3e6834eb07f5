/** Takes secrets out of everything that leaves: values that we hold, and text in the shape of a known credential. */

export type Redactor = {
  text: (text: string) => string;
  /** JSON of the value with every string in it redacted, as one line. */
  json: (value: unknown) => string;
};

const mark = "[redacted]";

/** Letters and digits of a random credential, as opposed to a hyphenated phrase: a digit, or a change of case. */
const random = "(?=[\\w.~+/=-]{0,256}(?:\\d|[a-z][A-Z]|=))";

/** Where a word begins, also behind the letter of an escape (`\n` in JSON, `%0A`, a terminal's colour). */
const start = "(?:(?<![A-Za-z0-9])|(?<=\\\\[bfnrt]|\\\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\\[[0-9;]{0,16}m))";

/** Those that need a beginning come last: what is taken out before them can make one. */
const formats: readonly (readonly [RegExp, string])[] = [
  [/(aws_secret_access_key["']?\s*[=:]\s*["']?)[A-Za-z0-9/+]{40,}/gi, `$1${mark}`],
  [/gh[pousr]_[A-Za-z0-9]{16,}/g, mark],
  [/github_pat_[A-Za-z0-9_]{16,}/g, mark],
  [/(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/g, mark],
  [/(?:xox[a-eoprs]|xapp)-[A-Za-z0-9%+/=-]{10,}/g, mark],
  [/(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g, `$1${mark}`],
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g, mark],
  [/(:\/\/)[^\s/:@"'<>]*:[^\s/"'<>]+@/g, `$1${mark}@`],
  // Elsewhere a user alone is no secret (`ssh://git@…`).
  [/(https?:\/\/)[^\s/?#@"'<>]+@/gi, `$1${mark}@`],
  [new RegExp(`${start}sk-${random}[A-Za-z0-9_-]{16,}`, "g"), mark],
  [new RegExp(`${start}eyJ[\\w-]{8,1024}\\.[\\w-]{8,}\\.[\\w-]{8,}`, "g"), mark],
  [new RegExp(`${start}([Bb]asic|[Bb]earer|BASIC|BEARER) ${random}[\\w.~+/=-]{8,}`, "g"), `$1 ${mark}`],
  [
    new RegExp(
      `(${start}authorization["']?\\s*[:=]\\s*["']?(?:(?:basic|bearer|token)\\s+)?)(?!\\[redacted)[\\w.~+/=-]{8,}`,
      "gi",
    ),
    `$1${mark}`,
  ],
];

/** One pass that tells whether the slower passes are needed at all. */
const suspicious =
  /gh[pousr]_|github_pat_|sk-|A(?:KI|SI|BI|CC)A|aws_secret|xox|xapp-|hooks\.slack|eyJ|-----BEGIN|:\/\/[^\s/]*@|basic |bearer |authorization/i;

const escapeForRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

/** Base64 of a value depends on where it starts in a group of three bytes: the part that does not, for each start. */
const base64Forms = (secret: string): string[] =>
  [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
    return whole.slice(shift === 0 ? 0 : 4);
  });

/** As browsers and forms encode, with escapes in either case. */
const urlForms = (secret: string): string[] =>
  [encodeURIComponent(secret), new URLSearchParams([[secret, ""]]).toString().slice(0, -1)].flatMap(
    (form) => [form, form.replace(/%../g, (escape) => escape.toLowerCase())],
  );

const formsOf = (secret: string): string[] => {
  const base64 = base64Forms(secret);
  const hex = Buffer.from(secret).toString("hex");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...urlForms(secret),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    hex,
    hex.toUpperCase(),
    [...secret].reverse().join(""),
  ].filter((form) => form.length >= 4);
};

const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]),
  );
};

/** Matches each secret in every form in which it could be written down. */
const patternOf = (secrets: readonly string[]): RegExp | undefined => {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= 4).flatMap(formsOf))];
  if (forms.length === 0) return undefined;
  const longestFirst = forms.sort((a, b) => b.length - a.length).map(escapeForRegExp);
  return new RegExp(longestFirst.join("|"), "g");
};

/** Tells whether a text holds one of the secrets, in any form. */
export const createDetector = (secrets: readonly string[]): ((text: string) => boolean) => {
  const held = patternOf(secrets);
  return (text) => held !== undefined && text.search(held) >= 0;
};

export const createRedactor = (secrets: readonly string[]): Redactor => {
  const held = patternOf(secrets);

  /** Until nothing changes: what is taken out can bring the parts of another credential together. */
  const text = (input: string): string => {
    const known = held ? input.replace(held, mark) : input;
    if (!suspicious.test(known)) return known;
    const redacted = formats.reduce(
      (result, [pattern, replacement]) => result.replace(pattern, replacement),
      known,
    );
    return redacted === input ? redacted : text(redacted);
  };

  const json = (value: unknown): string => {
    const line = JSON.stringify(value) ?? "null";
    const clean = !suspicious.test(line) && (held === undefined || line.search(held) < 0);
    return clean ? line : JSON.stringify(mapStrings(value, text));
  };

  return { text, json };
};
