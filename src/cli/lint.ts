/** What is odd about the entries of an allow list. */

import { Failure } from "../errors.ts";
import { describeDiagnostic, isMistake } from "../policy/diagnose.ts";
import { parseRules } from "../policy/rules.ts";
import { createWords } from "../report/words.ts";
import { parseArguments } from "./arguments.ts";

const { count } = createWords();

export const help = `Usage: copilot-driver lint --allow <entry> [--allow <entry> …] [--json]

Prints entries that can match nothing, that look like those of another tool, or that grant more than they seem to.

Options:
  --allow <entry>  An entry of the allow list; may be repeated
  --json           Print one JSON object per finding

Exit codes: 0 every entry does what it says, 1 one does not, 2 wrong options.

Example:
  copilot-driver lint --allow 'Bash(git:*)' --allow 'shell(npm run:*)'
`;

export const run = (args: string[]): number => {
  const { values } = parseArguments({
    args,
    options: {
      allow: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
    },
  });
  if (values.allow.length === 0)
    throw new Failure("configuration", "Give the entries to look at, with --allow.");
  const { rules, diagnostics } = parseRules(values.allow);
  if (values.json) process.stdout.write(diagnostics.map((found) => `${JSON.stringify(found)}\n`).join(""));
  else {
    for (const diagnostic of diagnostics)
      process.stdout.write(`${diagnostic.code}: ${describeDiagnostic(diagnostic)}\n`);
    if (diagnostics.length === 0)
      process.stdout.write(`Nothing odd about ${count(rules.length, "entry", "entries")}.\n`);
  }
  return diagnostics.some((diagnostic) => isMistake(diagnostic)) ? 1 : 0;
};
