/** Shell requests: every part of the text has to be covered by a rule. */

import { approve, deny, harmless } from "./decision.ts";
import type { Decision } from "./decision.ts";
import { decideFile } from "./files.ts";
import type { Place } from "./files.ts";
import { isHarmlessAssignment } from "./harmless-assignments.ts";
import type { Rule } from "./rules.ts";
import { shellParts } from "./shell.ts";
import type { Part } from "./shell.ts";

type Of<Kind extends Part["kind"]> = Extract<Part, { kind: Kind }>;

/** What a segment of the runtime's own parse says: a command of the text. */
export type Segment = { readonly identifier: string; readonly text: string };

const matchesWords = (rule: Rule, { name, words }: Of<"command">): boolean =>
  rule.kind === "shell-words" &&
  rule.words[0] === name &&
  rule.words.every((word, at) => at === 0 || words[at]?.literal === word);

const quoted = (part: Part): string =>
  `\`${part.text.length > 80 ? `${part.text.slice(0, 79)}…` : part.text}\``;

type TextRule = Extract<Rule, { kind: "shell-text" }>;

const isWholeTextOf = (rule: Rule, { text }: Of<"command">): rule is TextRule =>
  rule.kind === "shell-text" && (text === rule.command || text.startsWith(`${rule.command} `));

const plainWords = /^[\w.+@%:,/=-]+(?: [\w.+@%:,/=-]+)*$/;

const onlyWhole = ({ text, command }: TextRule, part: Of<"command">): string => {
  const instead = plainWords.test(command) ? `; write \`shell(${command}:*)\`` : "";
  return `No shell entry allows ${quoted(part)}: \`${text}\` matches only when it is the whole command${instead}.`;
};

const decideCommand = (rules: readonly Rule[], command: Of<"command">): Decision => {
  const rule = rules.find((candidate) => matchesWords(candidate, command));
  if (rule !== undefined) return approve(rule.text);
  const whole = rules.find((candidate) => isWholeTextOf(candidate, command));
  if (whole !== undefined) return deny("no-rule", onlyWhole(whole, command), command.text, whole.text);
  const nearest = rules.find(
    (candidate) => candidate.kind === "shell-words" && candidate.words[0] === command.name,
  );
  return deny("no-rule", `No shell entry allows ${quoted(command)}.`, command.text, nearest?.text);
};

const nowhere = "/dev/null";
const ownStreams = /^\/dev\/(?:stdin|stdout|stderr|fd\/\d+)$/;
const network = /^\/+dev\/+(?:tcp|udp)(?:\/|$)/;

const changesFolder: ReadonlySet<string> = new Set([
  "cd",
  "pushd",
  "popd",
  "builtin",
  "command",
  "eval",
  "source",
  ".",
]);

/** What the decision about one part depends on besides it. */
type Scene = {
  /** What relative paths start from; undefined if that cannot be told. */
  readonly folder: string | undefined;
  readonly place: Place;
  /** Everything that the shell itself opens in the text. */
  readonly files: readonly Of<"file">[];
};

const isNamed = ({ target }: Of<"file">): boolean => target !== nowhere && !ownStreams.test(target);

/** Linux opens the file behind a stream again, also for what it was not opened for: no file may stand there. */
const isOwnStream = (part: Of<"file">, { files }: Scene): boolean => {
  if (part.access === "read")
    return part.target === "/dev/stdin" && !files.some((file) => isNamed(file) && file.access === "write");
  const isOutput = part.target === "/dev/stdout" || part.target === "/dev/stderr";
  return (
    part.access === "write" && isOutput && !files.some((file) => isNamed(file) && file.access === "read")
  );
};

const decideRedirection = (rules: readonly Rule[], part: Of<"file">, scene: Scene): Decision => {
  const { folder, place } = scene;
  if (part.target === nowhere || isOwnStream(part, scene)) return harmless;
  if (ownStreams.test(part.target))
    return deny("redirection", `${quoted(part)} opens again whatever file stands behind it.`, part.text);
  if (network.test(part.target))
    return deny("redirection", `${quoted(part)} opens a network connection.`, part.text);
  const accesses = part.access === "read-write" ? (["read", "write"] as const) : [part.access];
  const decisions = accesses.map((access) =>
    decideFile(rules, { access, paths: [part.target], folder }, place),
  );
  const refused = decisions.find(({ decision }) => decision === "deny");
  if (refused === undefined) return decisions[0] ?? harmless;
  const reason = refused.reason === "no-rule" ? "redirection" : refused.reason;
  return deny(reason, `${quoted(part)}: ${refused.message}`, part.text, refused.rule);
};

const decidePart = (rules: readonly Rule[], part: Part, scene: Scene): Decision => {
  switch (part.kind) {
    case "command":
      return decideCommand(rules, part);
    case "assignment":
      return isHarmlessAssignment(part)
        ? harmless
        : deny("assignment", `${quoted(part)} assigns to a variable that could change what runs.`, part.text);
    case "file":
      return decideRedirection(rules, part, scene);
    case "unmatchable":
      return deny(part.reason, `${quoted(part)} ${part.message}.`, part.text);
  }
};

const decideParts = (
  rules: readonly Rule[],
  text: string,
  folder: string,
  place: Place,
): { decision: Decision; commands: Of<"command">[] } => {
  const parts = shellParts(text);
  const commands = parts.filter((part) => part.kind === "command");
  const knownFolder = commands.some(({ name }) => changesFolder.has(name)) ? undefined : folder;
  const files = parts.filter((part) => part.kind === "file");
  const scene: Scene = { folder: knownFolder, place, files };
  const decisions = parts.map((part) => decidePart(rules, part, scene));
  const refused = decisions.find(({ decision }) => decision === "deny");
  const approved = decisions.find(({ rule }) => rule !== undefined) ?? harmless;
  return { decision: refused ?? approved, commands };
};

/** Whether the command that the runtime names is one that was decided already. */
const isKnown = ({ identifier }: Segment, commands: readonly Of<"command">[]): boolean => {
  const named = identifier.trim().split(/\s+/);
  return commands.some(({ words }) =>
    named.every((word, at) => word === (words[at]?.literal ?? words[at]?.text)),
  );
};

/** Bash takes only these for blanks; `trim` would take away characters that belong to a name. */
const blanks = " \t\n";

const withoutBlankEnds = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && blanks.includes(text[start]!)) start += 1;
  while (end > start && blanks.includes(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
};

export type ShellRequest = {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Where the shell starts. */
  readonly folder: string;
  readonly isBash: boolean;
};

export const decideShell = (
  rules: readonly Rule[],
  { text, segments, folder, isBash }: ShellRequest,
  place: Place,
): Decision => {
  const any = rules.find((rule) => rule.kind === "shell");
  if (any !== undefined) return approve(any.text);
  const whole = withoutBlankEnds(text);
  const exact = rules.find(
    (rule) =>
      (rule.kind === "shell-text" && rule.command === whole) ||
      (rule.kind === "shell-words" && rule.exact && rule.words[0] === whole),
  );
  if (exact !== undefined) return approve(exact.text);
  if (!isBash) return deny("construct", "Only the text of Bash can be decided command by command.", text);
  const { decision, commands } = decideParts(rules, text, folder, place);
  if (decision.decision === "deny") return decision;
  const unseen = segments.find(
    (segment) =>
      !isKnown(segment, commands) &&
      decideParts(rules, segment.text, folder, place).decision.decision === "deny",
  );
  if (unseen === undefined) return decision;
  return deny(
    "runtime-segment",
    `The runtime sees \`${unseen.identifier}\` in the text, which no entry allows.`,
    unseen.text,
  );
};
