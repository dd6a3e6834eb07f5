/** What the engine answers, and the words it answers with. */

export type ReasonCode =
  | "allow-all"
  | "no-policy"
  | "rule"
  | "no-rule"
  | "redirection"
  | "assignment"
  | "expansion"
  | "construct"
  | "parse-error"
  | "too-long"
  | "protected-path"
  | "protected-address"
  | "protected-flag"
  | "runtime-segment"
  | "unknown-kind"
  | "malformed-request";

export type Decision = {
  readonly decision: "approve" | "deny" | "default";
  readonly reason: ReasonCode;
  /** One sentence for a person. */
  readonly message: string;
  /** The entry that approved, or the nearest one that did not. */
  readonly rule?: string;
  /** What was refused. */
  readonly part?: string;
};

const longestPart = 200;

export const shorten = (text: string): string =>
  text.length <= longestPart ? text : `${text.slice(0, longestPart - 1)}…`;

/** Approved without an entry: nothing that a permission protects is touched. */
export const harmless: Decision = { decision: "approve", reason: "rule", message: "Needs no permission." };

export const approve = (rule: string): Decision => ({
  decision: "approve",
  reason: "rule",
  message: `Approved by \`${rule}\`.`,
  rule,
});

export const deny = (reason: ReasonCode, message: string, part?: string, nearest?: string): Decision => ({
  decision: "deny",
  reason,
  message,
  ...(nearest === undefined ? {} : { rule: nearest }),
  ...(part === undefined ? {} : { part: shorten(part) }),
});
