/** What is refused unread, because no one writes it and reading it would take too long. */

/** More than the kernel passes to a shell in one argument. */
const longestText = 128 * 1024;

export const mostParts = 2000;

/** More files than anyone opens by redirection in one text; the disk is asked about each. */
export const mostFiles = 200;

/** The parser looks ahead from each opening brace and subscript, possibly to the end of the text. */
const mostLookAhead = 8_000_000;

/** It does so more slowly, and over and over, from each `$[`. */
const mostSlowLookAhead = 300_000;

/** The bodies of all here-documents of a line are looked for together. */
const mostHereDocumentsInLine = 100;

const count = (text: string, pattern: RegExp): number => {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found += 1;
  return found;
};

const hasCrowdedLine = (text: string): boolean => {
  if (count(text, /<</g) <= mostHereDocumentsInLine) return false;
  return text.split("\n").some((line) => count(line, /<</g) > mostHereDocumentsInLine);
};

/** Why the text is not read at all, if it is not. */
export const whyUnread = (text: string): string | undefined => {
  if (text.length > longestText || Buffer.byteLength(text) > longestText)
    return `is longer than ${longestText / 1024} KiB`;
  if (count(text, /(?<!\$)\{(?![\s}])|\$\{[!#]?\w*\[/g) * text.length > mostLookAhead)
    return "has too many braces";
  if (count(text, /\$\[/g) * text.length > mostSlowLookAhead) return "has too many `$[`";
  if (hasCrowdedLine(text)) return "has too many here-documents in one line";
  return undefined;
};
