/** Tells how the step ended, in every place where somebody looks: outputs, summary, report, log and annotations. */
import { dirname, join } from "node:path";
import type { Policy } from "../policy/rules.ts";
import { plain } from "../report/markdown-text.ts";
import type { Denial } from "../session/permissions.ts";
import { attempt } from "./attempt.ts";
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

export const publish = async (
  publication: Publication,
  files: CommandFiles,
  log: WorkflowLog,
): Promise<void> => {
  const { ending, warnings, policy, report, folder } = publication;
  const { conclusion, result, skipped } = ending;
  const answer = result?.output ?? "";

  const resultFile =
    answer === "" || folder === undefined
      ? undefined
      : await attempt("The answer", log, () => writeFresh(join(folder, "answer.md"), answer));
  const record = result?.eventsFile;
  const eventsFile = record !== undefined && isRegularFile(record) ? record : undefined;
  await attempt("The outputs", log, () => {
    for (const [name, value] of Object.entries(outputsOf(ending, { resultFile, eventsFile })))
      files.setOutput(name, value);
  });
  // Beside the log, where a report of several runs looks for it.
  if (record !== undefined)
    await attempt("The result", log, () =>
      writeFresh(join(dirname(record), "result.json"), JSON.stringify(result)),
    );

  showAnswer(answer, log);
  annotate(publication, log);
  const spent = result === undefined ? "" : ` after ${durationText(result.durationMs)}`;
  log.say(`conclusion: ${conclusion}${spent}`);

  if (skipped !== undefined) {
    await attempt("The summary", log, () => files.summarize(`## ⏭️ Skipped\n\n${plain(skipped)}\n`));
    return;
  }
  const wantsReport = report && folder !== undefined && result?.sessionId !== undefined;
  if (!files.takesSummary && !wantsReport) return;
  const run = await attempt("The summary", log, async () => {
    const { readRun } = await import("../report/read-run.ts");
    return readRun("run", eventsFile, { ...result, warnings }, policy);
  });
  if (run === undefined) return;
  await attempt("The summary", log, async () => {
    const { summaryOf } = await import("../report/summary.ts");
    files.summarize(summaryOf([run]));
  });
  if (!wantsReport) return;
  await attempt("The report", log, async () => {
    const { pageOf } = await import("../report/page.ts");
    const reportFile = writeFresh(join(folder, "report.html"), pageOf([run]));
    files.setOutput("report-file", reportFile);
    log.say(`report: ${reportFile}`);
  });
};
