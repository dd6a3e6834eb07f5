/** The allow list that a recorded run would have needed. */

import { Failure } from "../errors.ts";
import { suggest } from "../policy/suggest.ts";
import type { Suggested } from "../policy/suggest.ts";
import { summarize } from "../policy/summarize.ts";
import { collectRequests } from "../report/recorded-requests.ts";
import { parseArguments } from "./arguments.ts";
import { readLog, recordedFiles } from "./event-log-file.ts";
import { visible } from "./visible.ts";

const help = `Usage: copilot-driver suggest <events.jsonl | folder> … [--allow <entry> …] [--json]

Prints the smallest list of entries that would have approved what the run was denied, each with what it grants beyond
that. Entries marked with ! deserve a second thought.

Options:
  --allow <entry>    An entry that you have already; may be repeated
  --workspace <dir>  What relative paths start from (default: the workspace of the recorded run)
  --json             Print one JSON object per entry
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

export const run = async (args: string[]): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      allow: { type: "string", multiple: true, default: [] },
      workspace: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (positionals.length === 0)
    throw new Failure("configuration", "Give at least one event log. See --help.");
  const denied: unknown[] = [];
  let folder = values.workspace;
  for (const path of positionals) {
    const collected = collectRequests();
    await readLog(recordedFiles(path).log, collected.addLine);
    const { requests, workspace } = collected.finish();
    folder ??= workspace;
    for (const { request, answer } of requests) if (answer === "denied") denied.push(request);
  }
  const found = suggest(denied, { workspace: folder ?? process.cwd(), given: values.allow });
  process.stdout.write(
    values.json
      ? found.suggestions.map((one) => `${JSON.stringify(one)}\n`).join("")
      : visible(textOf(found, denied.length)),
  );
  return 0;
};
