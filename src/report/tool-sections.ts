/** What one tool call looks like to a reader: a title, and the parts that unfold. */
import { cutMiddle, oneLine } from "./cut.ts";
import type { EntryOutcome, Section } from "./model.ts";
import { fieldsOf, listOf, numberOf, textOf, type Fields } from "./reading.ts";

/** Longer texts are cut in the middle; the event log keeps them whole. */
const sectionLimit = 48 * 1024;

const titleLimit = 240;

/** Argument names that say best what a call is about, most telling first. */
const tellingArguments = [
  "command",
  "pattern",
  "path",
  "url",
  "query",
  "description",
  "prompt",
  "name",
  "intent",
];

export const section = (label: string, form: Section["form"], text: string): Section => ({
  label,
  form,
  text: cutMiddle(text, sectionLimit),
});

export const textSection = (label: string, form: Section["form"], text: string | undefined): Section[] =>
  text?.trim() ? [section(label, form, text)] : [];

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

export const withoutWorkspace = (text: string, workspace: string | undefined): string =>
  workspace !== undefined && workspace.length > 1 ? text.replaceAll(`${workspace}/`, "") : text;

export const toolTitle = (args: unknown, workspace: string | undefined): string => {
  const fields = fieldsOf(args);
  const telling = tellingArguments.map((name) => textOf(fields[name])).find((text) => text?.trim());
  const text = telling ?? (args === undefined ? "" : (textOf(args) ?? JSON.stringify(args)));
  return oneLine(withoutWorkspace(text.slice(0, titleLimit * 8), workspace), titleLimit);
};

/** The runtime appends this line for the model; the exit status is shown on its own. */
const shellTrailer = /\n?<shellId: \S+ completed with exit code -?\d+>\s*$/;

const looksLikeDiff = (text: string): boolean => /^\s*diff --git /.test(text);

/** The runtime names files in a diff from the root of the disk on: `a/home/me/shop/src/x.js`. */
const diffSection = (label: string, diff: string, workspace: string | undefined): Section => {
  const text = diff.trim();
  const body = text.search(/^@@/m);
  if (workspace === undefined || workspace.length < 2 || body < 0) return section(label, "diff", text);
  const head = ["a", "b"].reduce(
    (lines, side) => lines.replaceAll(` ${side}${workspace}/`, ` ${side}/`),
    text.slice(0, body),
  );
  return section(label, "diff", head + text.slice(body));
};

const binaryNote = (result: Fields): Section[] => {
  const results = listOf(result.binaryResultsForLlm).map(fieldsOf);
  if (results.length === 0) return [];
  const types = results.map((item) => textOf(item.mimeType) ?? "unknown type").join(", ");
  return [section("Binary results (not shown)", "text", types)];
};

const argumentSections = (toolName: string, args: unknown): Section[] => {
  if (args === undefined) return [];
  const command = textOf(fieldsOf(args).command);
  const shown = command === undefined ? [] : [section("Command", "code", command)];
  if (command !== undefined && toolName === "bash") return shown;
  return [...shown, section("Arguments", "json", jsonText(args))];
};

export const toolSections = (call: {
  toolName: string;
  args: unknown;
  completion: Fields | undefined;
  proposedDiff: string | undefined;
  decision: string | undefined;
  workspace: string | undefined;
}): Section[] => {
  const { toolName, args, completion = {}, proposedDiff, decision, workspace } = call;
  const result = fieldsOf(completion.result);
  const output = textOf(result.content)?.replace(shellTrailer, "");
  const detailed = textOf(result.detailedContent) ?? "";
  const error = textOf(fieldsOf(completion.error).message);
  // `view` shows a file as a diff without changes: that is not an edit.
  const diff = looksLikeDiff(detailed) && toolName !== "view" ? detailed : undefined;
  return [
    ...(decision === undefined ? [] : [section("Decision", "text", decision)]),
    ...(diff !== undefined ? [diffSection("Diff", diff, workspace)] : []),
    ...(diff === undefined && proposedDiff ? [diffSection("Proposed diff", proposedDiff, workspace)] : []),
    ...argumentSections(toolName, args),
    // A refusal comes back as an error that repeats it.
    ...(error === undefined || (decision !== undefined && error.includes(decision))
      ? []
      : [section("Error", "text", error)]),
    ...(output ? [section("Output", "code", output)] : []),
    ...(result.structuredContent === undefined
      ? []
      : [section("Structured content", "json", jsonText(result.structuredContent))]),
    ...binaryNote(result),
  ];
};

export const exitCodeOf = (completion: Fields): number | undefined =>
  numberOf(fieldsOf(completion.shellExecution).exitCode) ??
  listOf(fieldsOf(completion.result).contents)
    .map((item) => numberOf(fieldsOf(item).exitCode))
    .find((code) => code !== undefined);

export const toolOutcome = (completion: Fields | undefined, denied: boolean): EntryOutcome => {
  if (completion === undefined) return denied ? "denied" : "unfinished";
  if (denied || fieldsOf(completion.error).code === "denied") return "denied";
  if (completion.success === false) return "failed";
  return (exitCodeOf(completion) ?? 0) === 0 ? "ok" : "exit";
};
