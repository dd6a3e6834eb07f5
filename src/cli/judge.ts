/** What another allow list would have decided about a recorded run. */

import { Failure } from "../errors.ts";
import { decide } from "../policy/decide.ts";
import type { Decision } from "../policy/decide.ts";
import { summarize } from "../policy/summarize.ts";
import type { RecordedRequest } from "../report/recorded-requests.ts";
import { createWords } from "../report/words.ts";
import type { Environment } from "../settings/problems.ts";
import { policyOfEntries } from "./allow-list.ts";
import { parseArguments } from "./arguments.ts";
import { readRequests, recordedRuns } from "./event-log-file.ts";
import { visible } from "./visible.ts";

export const help = `Usage: copilot-driver judge [events.jsonl | folder] --allow <entry> [--allow <entry> …]

Decides every permission request of a recorded run again, under the given allow list, and prints what would change.
Without a path, the latest run on this machine is judged.

Options:
  --allow <entry>    An entry of the allow list; may be repeated
  --allow-all        Decide as with allowAllTools
  --workspace <dir>  What relative paths start from (default: the workspace of the recorded run)
  --all              Print the requests that would not change too
  --json             Print one JSON object per request

Exit codes: 0 whatever would change, 2 wrong options or no event log.

Examples:
  copilot-driver judge --allow read --allow 'shell(git status)'
  copilot-driver judge events.jsonl --allow read --allow 'shell(git:*)'
`;

const { count } = createWords();

type Judged = RecordedRequest & { decision: Decision; now: "approved" | "denied"; changes: boolean };

const judgeRequest = (recorded: RecordedRequest, decision: Decision): Judged => {
  const now = decision.decision === "approve" ? "approved" : "denied";
  return { ...recorded, decision, now, changes: now !== recorded.answer };
};

const kindOf = (request: unknown): string => {
  const kind: unknown = (request as { kind?: unknown } | null | undefined)?.kind;
  return typeof kind === "string" ? kind : "unknown";
};

const jsonOf = ({ line, request, answer, now, changes, decision }: Judged): string => {
  const { reason, rule, part } = decision;
  return JSON.stringify({
    line,
    kind: kindOf(request),
    request: summarize(request),
    before: answer,
    now,
    changes,
    reason,
    rule,
    part,
  });
};

const textOf = ({ line, request, answer, now, changes, decision }: Judged): string =>
  visible(
    `${changes ? (now === "approved" ? "+" : "-") : " "} line ${line}: ${kindOf(request)} ${summarize(request)}\n` +
      `    ${changes ? `${answer} before, now ${now}` : `${now} as before`}: ${decision.message}\n`,
  );

const closing = (judged: readonly Judged[]): string => {
  const changed = judged.filter(({ changes }) => changes);
  const approved = changed.filter(({ now }) => now === "approved").length;
  return `${count(judged.length, "request")}, ${changed.length} would change: ${approved} to approved, ${changed.length - approved} to denied.\n`;
};

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      allow: { type: "string", multiple: true, default: [] },
      "allow-all": { type: "boolean", default: false },
      workspace: { type: "string" },
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (positionals.length > 1) throw new Failure("configuration", "Give one event log. See --help.");
  if (values.allow.length === 0 && !values["allow-all"])
    throw new Failure("configuration", "Give the allow list to judge by, with --allow or --allow-all.");
  const policy = policyOfEntries(values.allow, values["allow-all"]);
  const [recorded] = recordedRuns(positionals, environment);
  const { requests, workspace } = await readRequests(recorded!.log);
  const folder = values.workspace ?? workspace ?? process.cwd();
  const judged = requests.map((recorded) => judgeRequest(recorded, decide(policy, recorded.request, folder)));
  if (values.json) process.stdout.write(judged.map((one) => `${jsonOf(one)}\n`).join(""));
  else {
    const shown = judged.filter(({ changes }) => changes || values.all);
    process.stdout.write(`${shown.map(textOf).join("")}${shown.length > 0 ? "\n" : ""}${closing(judged)}`);
  }
  return 0;
};
