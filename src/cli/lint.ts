/** What is odd about the entries of an allow list. */

import { parseRules } from "../policy/rules.ts";
import { parseArguments } from "./arguments.ts";

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
  const { rules, diagnostics } = parseRules(values.allow);
  if (values.json) process.stdout.write(diagnostics.map((found) => `${JSON.stringify(found)}\n`).join(""));
  else {
    for (const { code, message, suggestion } of diagnostics)
      process.stdout.write(
        `${code}: ${message}${suggestion === undefined ? "" : ` Perhaps \`${suggestion}\`?`}\n`,
      );
    if (diagnostics.length === 0) process.stdout.write(`Nothing odd about ${rules.length} entries.\n`);
  }
  return diagnostics.some(({ code }) => code !== "runs-any-program") ? 1 : 0;
};
