/** Tells how the step ended, in every place where somebody looks: outputs, summary, report, log and annotations. */
import { dirname, join } from "node:path";
import { messageOf } from "../errors.ts";
import type { Policy } from "../policy/rules.ts";
import type { Denial } from "../session/permissions.ts";
import type { CommandFiles } from "./command-files.ts";
import type { Ending } from "./ending.ts";
import { durationText } from "./live-log.ts";
import { outputsOf } from "./outputs.ts";
import { isRegularFile, writeFresh } from "./own-files.ts";
import type { WorkflowLog } from "./workflow-log.ts";

export type Publication = {
  ending: Ending;
  /** What must not be missed although the run went on. */
  warnings: readonly string[];
  policy: Policy | undefined;
  report: boolean;
  /** Where the answer and the report are kept for later steps. */
  folder: string | undefined;
};

const longestLoggedAnswer = 60_000;
const denialsNamed = 10;

const denialText = ({ kind, summary, reason }: Denial): string => `${kind} ${summary} (${reason})`;

const annotate = ({ ending, warnings }: Publication, log: WorkflowLog): void => {
  const { failure, result, skipped } = ending;
  const denials = result?.denials ?? [];
  if (skipped !== undefined)
    log.annotate({ level: "notice", title: "Skipped: no write access", message: skipped });
  if (denials.length > 0) {
    const more = denials.length > denialsNamed ? [`and ${denials.length - denialsNamed} more`] : [];
    log.annotate({
      level: "warning",
      title: `${denials.length} ${denials.length === 1 ? "request was" : "requests were"} denied; the summary shows what would allow them`,
      message: [...denials.slice(0, denialsNamed).map(denialText), ...more].join("\n"),
    });
  }
  if (warnings.length > 0)
    log.annotate({ level: "warning", title: "Take note", message: warnings.join("\n") });
  if (failure !== undefined)
    log.annotate({ level: "error", title: failure.advice, message: `${failure.kind}: ${failure.message}` });
};

const showAnswer = (answer: string, log: WorkflowLog): void => {
  if (answer.trim() === "") return;
  log.group("The agent's answer");
  log.quote(
    answer.length > longestLoggedAnswer
      ? `${answer.slice(0, longestLoggedAnswer)}\n[${answer.length - longestLoggedAnswer} more characters are in result-file]`
      : answer,
  );
  log.endGroup();
};

const skippedSummary = (why: string): string =>
  `## ⏭️ Skipped\n\n${why.replace(/[^\p{L}\p{N} ,]/gu, (char) => `&#${char.codePointAt(0)};`)}\n`;

/** Nothing here may hide how the run ended: what fails is told and the rest goes on. */
const attempt = async (what: string, log: WorkflowLog, action: () => Promise<void>): Promise<void> => {
  try {
    await action();
  } catch (error) {
    log.annotate({ level: "warning", title: `${what} could not be written`, message: messageOf(error) });
  }
};

export const publish = async (
  publication: Publication,
  files: CommandFiles,
  log: WorkflowLog,
): Promise<void> => {
  const { ending, warnings, policy, report, folder } = publication;
  const { conclusion, result, skipped } = ending;
  const answer = result?.output ?? "";

  await attempt("The outputs", log, async () => {
    const resultFile = answer === "" || folder === undefined ? undefined : join(folder, "answer.md");
    if (resultFile !== undefined) writeFresh(resultFile, answer);
    // Beside the log, where a report of several runs looks for it.
    if (result?.eventsFile !== undefined)
      writeFresh(join(dirname(result.eventsFile), "result.json"), JSON.stringify(result));
    for (const [name, value] of Object.entries(outputsOf(ending, resultFile))) files.setOutput(name, value);
    return Promise.resolve();
  });

  showAnswer(answer, log);
  annotate(publication, log);
  const spent = result === undefined ? "" : ` after ${durationText(result.durationMs)}`;
  log.say(`conclusion: ${conclusion}${spent}`);

  if (skipped !== undefined) return files.summarize(skippedSummary(skipped));
  const wantsReport = report && folder !== undefined && result?.sessionId !== undefined;
  if (!files.takesSummary && !wantsReport) return;
  await attempt("The summary", log, async () => {
    const { readRun } = await import("../report/read-run.ts");
    const { summaryOf } = await import("../report/summary.ts");
    const record = result?.eventsFile;
    const events = record !== undefined && isRegularFile(record) ? record : undefined;
    const run = await readRun("run", events, { ...result, warnings }, policy);
    files.summarize(summaryOf([run]));
    if (!wantsReport) return;
    const { pageOf } = await import("../report/page.ts");
    const reportFile = join(folder, "report.html");
    writeFresh(reportFile, pageOf([run]));
    files.setOutput("report-file", reportFile);
    log.say(`report: ${reportFile}`);
  });
};
