/** Decisions without a run: one command for a person, or JSON Lines for a program. */

import { Failure } from "../errors.ts";
import { decide } from "../policy/decide.ts";
import type { Decision } from "../policy/decide.ts";
import { policyOf } from "../policy/rules.ts";
import type { Policy } from "../policy/rules.ts";
import { shellParts } from "../policy/shell.ts";
import { suggest } from "../policy/suggest.ts";
import { policyOfEntries } from "./allow-list.ts";
import { parseArguments } from "./arguments.ts";
import { linesOf } from "../lines.ts";
import { visible } from "./visible.ts";

export const help = `Usage: copilot-driver explain --allow <entry> [--allow <entry> …] -- '<command>'
       copilot-driver explain --json < requests.jsonl

Says whether an allow list allows a shell command, which part of it decides, and what would allow it. Nothing runs.

Options:
  --allow <entry>    An entry of the allow list; may be repeated
  --allow-all        Decide as with allowAllTools
  --workspace <dir>  What relative paths start from (default: here)
  --json             Answer as JSON. Without a command, read one {"id", "allowedTools", "allowAllTools",
                     "workspace", "request"} per line from standard input and answer each with one line

Exit codes: 0 whatever the decision, 2 wrong options.

Examples:
  copilot-driver explain --allow 'shell(git log:*)' -- 'git log | head'
  copilot-driver explain --allow read --allow 'shell(npm test)' -- 'npm test > log.txt'
`;

const shellRequest = (command: string): unknown => ({ kind: "shell", fullCommandText: command });

type Answer = Pick<Decision, "decision" | "reason" | "rule" | "part"> & { id: unknown };

const answerOf = (id: unknown, { decision, reason, rule, part }: Decision): Answer => ({
  id,
  decision,
  reason,
  ...(rule === undefined ? {} : { rule }),
  ...(part === undefined ? {} : { part }),
});

const malformed = (id: unknown): Answer => ({ id, decision: "deny", reason: "malformed-request" });

const answerLine = (line: string, workspace: string): Answer => {
  let id: unknown = null;
  try {
    const input: unknown = JSON.parse(line);
    if (typeof input !== "object" || input === null) return malformed(id);
    const { allowedTools, allowAllTools, request, ...given } = input as Record<string, unknown>;
    id = given.id ?? null;
    const { policy } = policyOf({ allowedTools, allowAllTools });
    const folder = typeof given.workspace === "string" ? given.workspace : workspace;
    return answerOf(id, decide(policy, request, folder));
  } catch {
    return malformed(id);
  }
};

const answerLines = async (workspace: string): Promise<void> => {
  for await (const line of linesOf(process.stdin))
    if (!process.stdout.write(`${JSON.stringify(answerLine(line, workspace))}\n`))
      await new Promise((resolve) => process.stdout.once("drain", resolve));
};

const verdicts = { approve: "approved", deny: "denied", default: "left to the runtime, which denies" };

const suggestionLines = (policy: Policy, request: unknown, workspace: string): string[] => {
  if (policy.mode !== "scoped") return [];
  const { suggestions } = suggest([request], { workspace, given: policy.rules.map(({ text }) => text) });
  return suggestions.flatMap(({ entry, danger }, index) => [
    `  ${index === 0 ? "would be allowed by" : "and"}: ${entry}`,
    ...(danger === undefined ? [] : [`    careful: ${danger}`]),
  ]);
};

const partLines = (policy: Policy, command: string, workspace: string): string[] => {
  const parts = shellParts(command).filter(({ kind }) => kind === "command");
  if (policy.mode !== "scoped" || parts.length < 2) return [];
  const whole = decide(policy, shellRequest(command), workspace);
  const isExact = policy.rules.some(({ kind, text }) => kind === "shell-text" && text === whole.rule);
  if (whole.decision === "approve" && isExact) return [];
  // An exact text is the whole of a command and never a part.
  const others: Policy = { ...policy, rules: policy.rules.filter(({ kind }) => kind !== "shell-text") };
  return parts.map(({ text }) => {
    const { decision, rule } = decide(others, shellRequest(text), workspace);
    return `  ${decision === "approve" ? "+" : "-"} ${text}${decision === "approve" ? `  (${rule})` : ""}`;
  });
};

const textOf = (policy: Policy, command: string, workspace: string): string => {
  const request = shellRequest(command);
  const { decision, reason, message, rule, part } = decide(policy, request, workspace);
  const lines = [
    `${verdicts[decision]} (${reason})`,
    `  ${message}`,
    ...(decision === "deny" && part !== undefined ? [`  refused: ${part}`] : []),
    ...(decision === "deny" && rule !== undefined ? [`  nearest entry: ${rule}`] : []),
    ...(decision === "deny" ? suggestionLines(policy, request, workspace) : []),
    ...partLines(policy, command, workspace),
  ];
  return visible(`${lines.join("\n")}\n`);
};

export const run = async (args: string[]): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      allow: { type: "string", multiple: true, default: [] },
      "allow-all": { type: "boolean", default: false },
      workspace: { type: "string", default: process.cwd() },
      json: { type: "boolean", default: false },
    },
  });
  if (positionals.length === 0 && values.json) {
    await answerLines(values.workspace);
    return 0;
  }
  const [command] = positionals;
  if (command === undefined || positionals.length > 1)
    throw new Failure("configuration", "Give one command, quoted as a whole, after `--`.");
  const policy = policyOfEntries(values.allow, values["allow-all"]);
  process.stdout.write(
    values.json
      ? `${JSON.stringify(answerOf(null, decide(policy, shellRequest(command), values.workspace)))}\n`
      : textOf(policy, command, values.workspace),
  );
  return 0;
};
