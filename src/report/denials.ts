/** What was denied and why: the log knows the request, the driver's result knows the decision. */
import { decide } from "../policy/decide.ts";
import type { Policy } from "../policy/rules.ts";
import { summarize } from "../policy/summarize.ts";
import { suggest } from "../policy/suggest.ts";
import { oneLine } from "./cut.ts";
import type { Denial, Entry } from "./model.ts";
import { fieldsOf, listOf, textOf, type Fields } from "./reading.ts";
import { withoutWorkspace } from "./tool-sections.ts";

export type LoggedDenial = { request: Fields; message: string; entry?: Entry; index?: number };

type Decided = Pick<Denial, "kind" | "summary" | "reason" | "message" | "part" | "rule" | "approval">;

const textFields = ["kind", "summary", "reason", "message", "part", "rule"] as const;

const decidedOf = (value: unknown): Decided => {
  const fields = fieldsOf(value);
  const texts = textFields.flatMap((name) => {
    const text = textOf(fields[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { kind: "unknown", summary: "", ...Object.fromEntries(texts) };
};

/** What the driver tells the model before the reason. */
const preamble = /^This invocation is not allowed by workflow tool permissions:\s*/;

/** A report looks at no disk: paths count as they were recorded. */
const asRecorded = (path: string): string => path;

/** Suggestions take time, and nobody reads the hundredth, or one for a command of many pages. */
const mostExplained = 50;
const longestExplained = 16_000;

/** What the given policy says, instead of what was recorded; nothing where it leaves the decision to the runtime. */
const redecided = (
  request: Fields,
  policy: Policy | undefined,
  workspace: string,
): Partial<Decided> | undefined => {
  if (policy === undefined || request.kind === undefined) return undefined;
  const { decision, reason, message, rule, part } = decide(policy, request, workspace, asRecorded);
  if (decision === "default") return undefined;
  const by = rule !== undefined && { rule };
  if (decision === "deny") return { reason, message, ...by, ...(part !== undefined && { part }) };
  const how =
    rule === undefined ? `: ${message.replace(/^./, (first) => first.toLowerCase())}` : ` by \`${rule}\`.`;
  return { message: `Would be approved${how}`, approval: { ...by } };
};

/** Both lists are in the order of the run, so the first decision of the same kind that is left belongs to the request. */
export const joinDenials = (
  logged: readonly LoggedDenial[],
  result: unknown,
  options: { workspace: string | undefined; policy: Policy | undefined; given: readonly string[] },
): Denial[] => {
  const { workspace, policy, given } = options;
  const folder = workspace ?? "/";
  const left = listOf(fieldsOf(result).denials).map(decidedOf);
  const take = (kind: string | undefined): Decided | undefined => {
    const at = kind === undefined ? 0 : left.findIndex((decided) => decided.kind === kind);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const joined = logged.map(({ request, message, entry, index }, at): Denial => {
    const kind = textOf(request.kind);
    const decided = take(kind);
    const what = kind === undefined ? (decided?.summary ?? entry?.title ?? "") : summarize(request);
    const isExplained =
      at < mostExplained &&
      kind !== undefined &&
      (textOf(request.fullCommandText) ?? "").length <= longestExplained;
    const judged = redecided(request, policy, folder) ?? decided;
    return {
      message: message.replace(preamble, ""),
      ...judged,
      kind: kind ?? decided?.kind ?? "tool",
      summary: oneLine(withoutWorkspace(what, workspace), 400),
      ...(index !== undefined && { entry: index }),
      suggestions:
        isExplained && judged?.approval === undefined
          ? [...suggest([request], { workspace: folder, links: asRecorded, given }).suggestions]
          : [],
    };
  });
  return [...joined, ...left.map((decided) => ({ ...decided, suggestions: [] }))];
};
