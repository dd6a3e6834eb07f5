/** Runs → Markdown for a GitHub step summary. A summary above 1 MiB is dropped whole, so this one never gets there. */
import { cutMiddle, oneLine } from "./cut.ts";
import { code, fenced, fencedProse, plain, sentence } from "./markdown-text.ts";
import { mermaidOf } from "./mermaid.ts";
import type { Denial, Run, RunOutcome } from "./model.ts";
import { createWords } from "./words.ts";

const {
  exact: amount,
  count,
  duration,
  howItEnded,
  howManyMet,
  outcomeName,
  toolCalls,
  verdictOf,
  whatItDid,
  whatWasDenied,
} = createWords();

/** Below the limit of 1 MiB, with room for what else a step writes. */
export const summaryLimit = 1000 * 1024;

const answerLimits = [200_000, 40_000, 8_000, 1_500];
const shortestAnswer = 300;
const denialsShown = 40;
const expectationsShown = 100;
const toolsShown = 25;
const cellLimit = 300;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const cell = (text: string | undefined): string => code(cutMiddle(text ?? "", cellLimit));

const failurePart = (run: Run): string[] => {
  if (run.message === undefined && run.advice === undefined) return [];
  const kind = run.errorKind === undefined ? "" : `**${plain(oneLine(run.errorKind, 100))}** `;
  return [
    "> [!CAUTION]",
    `> ${kind}${sentence(cutMiddle(run.message ?? "", 2000))}`,
    ...(run.advice === undefined ? [] : [">", `> ${sentence(run.advice)}`]),
    "",
  ];
};

const warningPart = ({ warnings, log }: Run): string[] => {
  const notes = [
    ...warnings.slice(0, 10),
    ...(log.unreadableCount > 0
      ? [`${count(log.unreadableCount, "line")} of the event log could not be read; the rest is shown.`]
      : []),
  ];
  return notes.length === 0
    ? []
    : ["> [!WARNING]", ...notes.map((note) => `> - ${sentence(cutMiddle(note, 1000))}`), ""];
};

/** What was not met stands first: there may be more than is shown. */
const expectationsPart = (run: Run): string[] => {
  const { expectations = [] } = run;
  if (expectations.length === 0) return [];
  const ordered = [...expectations].sort((a, b) => Number(a.ok) - Number(b.ok));
  const left = ordered.length - expectationsShown;
  return [
    `### Expectations: ${howManyMet(run)}`,
    "",
    ...ordered.slice(0, expectationsShown).map(({ text, ok }) => `- ${ok ? "✅" : "❌"} ${sentence(text)}`),
    ...(left > 0 ? [`- *and ${amount(left)} more*`] : []),
    "",
  ];
};

const answerPart = (run: Run, limit: number): string[] => {
  const answer = run.answer.trim();
  const body = answer === "" ? "*The run ended without an answer.*" : fencedProse(cutMiddle(answer, limit));
  return ["### Answer", "", body, ""];
};

const usagePart = ({ usage }: Run): string[] => {
  if (usage === undefined) return ["### Usage", "", "*No token counts were recorded.*", ""];
  const row = (name: string, of: Omit<typeof usage, "models">): string[] => [
    name,
    ...[of.requests, of.input, of.cached, of.output, of.premium, of.cost].map(amount),
  ];
  const models = usage.models.slice(0, 20).map((model) => row(cell(model.model), model));
  const total = models.length > 1 || models.length === 0 ? [row("**together**", usage)] : [];
  const head = [
    "model",
    "calls",
    "tokens in",
    "of which cached",
    "tokens out",
    "premium requests",
    "AI credits",
  ];
  return ["### Usage", "", table(head, [...models, ...total]), ""];
};

const picturePart = (run: Run): string[] => {
  const drawn = mermaidOf(run);
  if (drawn === undefined) return [];
  const left = drawn.left > 0 ? [`*${count(drawn.left, "shorter step")} left out of the picture.*`, ""] : [];
  return ["### Timeline", "", "```mermaid", drawn.picture, "```", "", ...left];
};

const toolsPart = ({ tools }: Run): string[] => {
  if (tools.length === 0) return [];
  const hasUnfinished = tools.some(({ unfinished }) => unfinished > 0);
  const rows = tools
    .slice(0, toolsShown)
    .map(({ name, calls, failed, denied, unfinished, ms }) => [
      cell(name),
      ...[calls, failed, denied, ...(hasUnfinished ? [unfinished] : [])].map(amount),
      duration(ms),
    ]);
  const head = ["tool", "calls", "failed", "denied", ...(hasUnfinished ? ["unfinished"] : []), "time"];
  const more =
    tools.length > toolsShown ? ["", `*and ${count(tools.length - toolsShown, "more tool")}*`] : [];
  const title = `<summary>Tools: ${count(
    tools.reduce((sum, { calls }) => sum + calls, 0),
    "call",
  )}</summary>`;
  return ["<details>", title, "", table(head, rows), ...more, "", "</details>", ""];
};

const whyOf = ({ message, reason }: Denial): string => {
  const said = sentence(cutMiddle(message ?? "", cellLimit));
  return reason === undefined ? said : `${cell(reason)} ${said}`;
};

const allowedBy = ({ approval, suggestions }: Denial): string => {
  if (approval !== undefined) return `the given list ${cell(approval.rule)}`.trim();
  const entries = suggestions.map(
    ({ entry, danger }) => `${cell(entry)}${danger === undefined ? "" : " ⚠️"}`,
  );
  return entries.join("<br>") || "nothing: not by a rule";
};

const denialsPart = ({ denials, allowList }: Run): string[] => {
  if (denials.length === 0) return [];
  const rows = denials
    .slice(0, denialsShown)
    .map((denial) => [
      `${plain(oneLine(denial.kind, 60))} ${cell(denial.summary)}`,
      whyOf(denial),
      cell(denial.part),
      allowedBy(denial),
    ]);
  const more =
    denials.length > denialsShown
      ? [`*and ${amount(denials.length - denialsShown)} more; the report has them all*`, ""]
      : [];
  const suggestions = new Map(
    denials.flatMap((denial) => denial.suggestions.map((one) => [one.entry, one] as const)),
  );
  const entries = [...suggestions.values()].slice(0, denialsShown);
  const careful = entries.filter(({ danger }) => danger !== undefined);
  return [
    `### Denied: ${amount(denials.length)}`,
    "",
    table(["request", "why", "offending part", "would be allowed by"], rows),
    "",
    ...more,
    ...(entries.length > 0
      ? [
          allowList
            ? "To allow what entries can allow, give the step this list (each new line grants more than the one request):"
            : "To allow what entries can allow, add these lines to the list of the step (each grants more than the one request):",
          "",
          fenced(
            [
              "allowed-tools: |",
              ...[...(allowList ?? []), ...entries.map(({ entry }) => entry)].map((line) => `  ${line}`),
            ].join("\n"),
            "yaml",
          ),
          "",
          ...careful.map(({ entry, danger = "" }) => `- ⚠️ ${cell(entry)}: ${sentence(danger)}`),
          ...(careful.length > 0 ? [""] : []),
        ]
      : []),
  ];
};

const marks: Readonly<Record<RunOutcome | "unmet", string>> = {
  completed: "✅",
  failed: "❌",
  "timed-out": "⏱️",
  cancelled: "⏹️",
  denied: "⛔",
  unknown: "❔",
  unmet: "❌",
};

const outcomeOf = (run: Run): string => `${marks[verdictOf(run)]} ${outcomeName(verdictOf(run))}`;

const headOf = (run: Run): string => `${outcomeOf(run)}${howItEnded(run).rest}`;

const runPart = (run: Run, answerLimit: number, title: string): string =>
  [
    `## ${title}`,
    "",
    `${whatItDid(run)} ${run.denials.length === 0 ? whatWasDenied(run) : `**${whatWasDenied(run)}**`}`,
    "",
    ...failurePart(run),
    ...warningPart(run),
    ...expectationsPart(run),
    ...answerPart(run, answerLimit),
    ...denialsPart(run),
    ...usagePart(run),
    ...picturePart(run),
    ...toolsPart(run),
  ].join("\n");

const runsPart = (runs: readonly Run[]): string => {
  const rows = runs
    .slice(0, 500)
    .map((run) => [
      cell(run.name),
      outcomeOf(run),
      duration(run.durationMs),
      amount(toolCalls(run)),
      amount(run.denials.length),
      amount((run.usage?.input ?? 0) + (run.usage?.output ?? 0)),
      amount(run.usage?.cost ?? 0),
    ]);
  const head = ["run", "outcome", "time", "tool calls", "denied", "tokens", "AI credits"];
  return [`## ${count(runs.length, "run")}`, "", table(head, rows), "", ""].join("\n");
};

const bytes = (text: string): number => Buffer.byteLength(text, "utf8");

/** As many whole runs as fit, and a line that says how many do not. */
const whatFits = (parts: readonly string[], limit: number): string => {
  const note = (left: number): string =>
    `\n*${count(left, "run")} left out here: the summary of a step has a size limit.*\n`;
  let text = "";
  for (const [index, part] of parts.entries()) {
    if (bytes(text) + bytes(part) + bytes(note(parts.length)) > limit)
      return text + note(parts.length - index);
    text += part;
  }
  return text;
};

export const summaryOf = (runs: readonly Run[], limit = summaryLimit): string => {
  const write = (answerLimit: number): string[] => [
    ...(runs.length > 1 ? [runsPart(runs)] : []),
    ...runs.map((run) =>
      runPart(run, answerLimit, runs.length > 1 ? `${cell(run.name)} ${headOf(run)}` : headOf(run)),
    ),
  ];
  const fits = (parts: readonly string[]): boolean => bytes(parts.join("\n")) <= limit;
  const shortest = write(shortestAnswer);
  if (!fits(shortest)) return whatFits(shortest, limit);
  const longest = answerLimits.find((answerLimit) => fits(write(answerLimit)));
  return (longest === undefined ? shortest : write(longest)).join("\n");
};
