/** The allow list that a recorded run would have needed. */

import { suggest } from "../policy/suggest.ts";
import type { Suggested } from "../policy/suggest.ts";
import { summarize } from "../policy/summarize.ts";
import { isStringArray, type Environment } from "../settings/problems.ts";
import { parseArguments } from "./arguments.ts";
import { readRequests, readResult, recordedRuns } from "./event-log-file.ts";
import type { KeptResult } from "./keep-run.ts";
import { visible } from "./visible.ts";

export const help = `Usage: copilot-driver suggest [events.jsonl | folder …] [--allow <entry> …] [--json]

Prints the smallest list of entries that would have approved what the run was denied, each with what it grants beyond
that. Entries marked with ! deserve a second thought. Without a path, the latest run on this machine counts.

Options:
  --allow <entry>    An entry that you have already, beside those of the run; may be repeated
  --workspace <dir>  What relative paths start from (default: the workspace of the recorded run)
  --json             Print one JSON object per entry

Exit codes: 0 it worked, 2 wrong options or no event log.

Examples:
  copilot-driver suggest
  copilot-driver suggest events.jsonl --allow read --allow 'shell(git:*)'
`;

const textOf = ({ suggestions, hopeless }: Suggested, denied: number): string => {
  if (denied === 0) return "Nothing was denied.\n";
  const entries = suggestions.flatMap(({ entry, grants, danger }) => [
    `${danger === undefined ? " " : "!"} ${entry}`,
    `      ${grants}`,
    ...(danger === undefined ? [] : [`      Careful: ${danger}`]),
  ]);
  const left = hopeless.map(({ request, decision }) => `  ${summarize(request)}\n      ${decision.message}`);
  return [
    ...(entries.length > 0
      ? [`${denied - hopeless.length} of ${denied} denied requests would be approved by:`, "", ...entries, ""]
      : []),
    ...(left.length > 0 ? ["No entry would approve:", "", ...left, ""] : []),
  ].join("\n");
};

/** The list that the run had, where it is known. */
const allowListIn = (result: string | undefined): string[] => {
  if (result === undefined) return [];
  const { allowedTools } = readResult(result) as Partial<KeptResult>;
  return isStringArray(allowedTools) ? allowedTools : [];
};

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      allow: { type: "string", multiple: true, default: [] },
      workspace: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const denied: unknown[] = [];
  const given = [...values.allow];
  let folder = values.workspace;
  for (const { log, result } of recordedRuns(positionals, environment)) {
    given.push(...allowListIn(result));
    const { requests, workspace } = await readRequests(log);
    folder ??= workspace;
    for (const { request, answer } of requests) if (answer === "denied") denied.push(request);
  }
  const found = suggest(denied, { workspace: folder ?? process.cwd(), given });
  process.stdout.write(
    values.json
      ? found.suggestions.map((one) => `${JSON.stringify(one)}\n`).join("")
      : visible(textOf(found, denied.length)),
  );
  return 0;
};
