/** Foreign text in Markdown: shown as it is, never read as Markdown, HTML, a link, an image or a mention. */

/** A character reference stands for the character only: it never begins markup. */
const reference = (char: string): string => `&#${char.codePointAt(0)};`;

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escaped = (text: string): string =>
  text
    .replace(controls, " ")
    .replace(/\s+/g, " ")
    .replace(/[^\p{L}\p{N} ,./=-]/gu, reference)
    // GitHub makes links of bare addresses, in code too; without the dot or the colon it does not.
    .replace(/www\./gi, (match) => match.replace(".", reference));

/** One line of plain words. */
export const plain = (text: string): string => escaped(text.trim());

/** One line of code, safe in a table cell. */
export const code = (text: string): string => (text.trim() === "" ? "" : `<code>${plain(text)}</code>`);

/** A sentence with names between backticks. */
export const sentence = (text: string): string => {
  const pieces = text.trim().split("`");
  if (pieces.length % 2 === 0) return plain(text);
  return pieces.map((piece, index) => (index % 2 === 1 ? code(piece) : escaped(piece))).join("");
};

const wrapAt = 110;

/** Breaks long lines of prose at spaces: a code block on GitHub does not wrap. */
const wrap = (line: string): string => {
  if (/^\s*[|>]/.test(line)) return line;
  const lines: string[] = [];
  let from = 0;
  while (line.length - from > wrapAt) {
    const before = line.lastIndexOf(" ", from + wrapAt);
    const at = before > from + wrapAt / 3 ? before : line.indexOf(" ", from + wrapAt);
    if (at < 0) break;
    lines.push(line.slice(from, at));
    from = at + 1;
  }
  return [...lines, line.slice(from)].join("\n");
};

/** A code block that nothing inside can close. */
export const fenced = (text: string, language: string): string => {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
};

/** Model text in a code block. Image syntax is broken up as well, in case somebody takes the text out of it. */
export const fencedProse = (text: string): string =>
  fenced(
    text
      .replace(/\r\n?/g, "\n")
      .replace(controls, "\ufffd")
      .replaceAll("![", "! [")
      .replace(/<(?=img|picture|video|audio|svg|iframe|object|embed)/gi, "< ")
      .split("\n")
      .map(wrap)
      .join("\n"),
    "markdown",
  );
