/** The report of one recorded run, or of several side by side. */

import { writeFileSync } from "node:fs";
import { Failure, messageOf } from "../errors.ts";
import type { Run } from "../report/model.ts";
import { pageOf } from "../report/page.ts";
import { readRun } from "../report/read-run.ts";
import { summaryOf } from "../report/summary.ts";
import type { Environment } from "../settings/problems.ts";
import { policyOfEntries } from "./allow-list.ts";
import { parseArguments } from "./arguments.ts";
import { notALog, readResult, recordedRuns } from "./event-log-file.ts";

export const help = `Usage: copilot-driver report [events.jsonl | folder …] [--result <file>] … [--md] [-o <file>]

Makes one self-contained HTML page of a run, or of several runs side by side. A folder stands for the latest
events.jsonl in it; a result.json in the folder, or beside a log, is used with it. Without either, the latest run on
this machine is shown.

Options:
  --result <file>    The driver's result for a log; give one per log, in the same order
  --md               Markdown, as in the summary of a workflow step, instead of HTML
  --allow <entry>    Explain the denials by this allow list; may be repeated
  -o, --output <file>  Where to write; - is standard output. Default: report.html on a terminal, else standard output

Exit codes: 0 it worked, 2 wrong options or no event log.

Examples:
  copilot-driver report events.jsonl -o report.html
  copilot-driver report runs/* --md >> "$GITHUB_STEP_SUMMARY"
`;

const write = (text: string, output: string | undefined, markdown: boolean): void => {
  const file = output ?? (process.stdout.isTTY && !markdown ? "report.html" : "-");
  if (file === "-") {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Failure("configuration", `Cannot write ${file} (${messageOf(error)}).`);
  }
  process.stderr.write(`Wrote ${file}\n`);
};

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: {
      result: { type: "string", multiple: true, default: [] },
      allow: { type: "string", multiple: true, default: [] },
      md: { type: "boolean", default: false },
      output: { type: "string", short: "o" },
    },
  });
  const recorded = recordedRuns(positionals, environment);
  if (values.result.length > recorded.length)
    throw new Failure("configuration", "There are more results than event logs.");
  if (values.result.length > 0 && recorded.length < positionals.length)
    throw new Failure("configuration", "With --result, every path must hold an event log.");
  const policy = values.allow.length > 0 ? policyOfEntries(values.allow) : undefined;
  const runs: Run[] = [];
  for (const [index, { name, log, result }] of recorded.entries()) {
    const file = values.result[index] ?? result;
    const run = await readRun(name, log, file === undefined ? undefined : readResult(file), policy);
    if (run.log.events === 0) throw notALog(log);
    runs.push(run);
  }
  write(values.md ? summaryOf(runs) : pageOf(runs), values.output, values.md);
  return 0;
};
