/** What was denied: the request with the refused part marked, the reason, and what would allow it. */
import type { Denial, Run } from "../model.ts";
import type { Kit } from "./kit.ts";
import type { createMarkdown } from "./markdown.ts";

export const createDenials = (kit: Kit, markdown: ReturnType<typeof createMarkdown>) => {
  const { el, icon, amount, count } = kit;
  const shownAtOnce = 5;
  const shownAtAll = 50;

  const request = ({ kind, summary, part = "" }: Denial): HTMLElement => {
    const place = part === "" ? -1 : summary.indexOf(part);
    const what = el("code.what");
    if (place < 0) what.append(summary || kind);
    else what.append(summary.slice(0, place), el("mark", {}, part), summary.slice(place + part.length));
    return what;
  };

  const suggestions = (item: Denial): HTMLElement | undefined =>
    item.suggestions.length === 0
      ? undefined
      : el(
          "div.suggest",
          {},
          el("p", {}, "To allow it:"),
          ...item.suggestions.map(({ entry, grants, danger }) =>
            el(
              "div.rule",
              { "data-danger": danger === undefined ? undefined : "yes" },
              el("code", {}, entry),
              markdown.line(danger === undefined ? grants : `${grants} Careful: ${danger}`),
            ),
          ),
        );

  const denial = (same: readonly Denial[], show: (entry: number) => void): HTMLElement | undefined => {
    const [item] = same;
    if (!item) return undefined;
    const { kind, summary, message, reason, part, rule, approval, entry } = item;
    const node = el(
      "li.denial",
      {},
      el(
        "div.what-line",
        {},
        el("span.kind", {}, kind),
        request(item),
        same.length > 1 && el("span.times", {}, `×${amount(same.length)}`),
      ),
      el(
        approval === undefined ? "p" : "p.approved",
        {},
        approval !== undefined && icon("ok"),
        markdown.line(message ?? reason ?? "No reason was recorded."),
      ),
      part !== undefined && !summary.includes(part) && el("p", {}, "Refused part: ", el("code", {}, part)),
      rule !== undefined && el("p", {}, "Nearest entry: ", el("code", {}, rule)),
      suggestions(item),
    );
    if (entry !== undefined) {
      const button = el("button.jump", { type: "button" }, "Show in the list");
      button.addEventListener("click", () => show(entry));
      node.append(button);
    }
    return node;
  };

  /** Agents try again: the same request is shown once, with how often it came. */
  const grouped = (run: Run): Denial[][] => {
    const groups = new Map<string, Denial[]>();
    for (const item of run.denials) {
      const key = JSON.stringify([item.kind, item.summary, item.message]);
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
    return [...groups.values()];
  };

  const render = (run: Run, show: (entry: number) => void): HTMLElement | undefined => {
    if (run.denials.length === 0) return undefined;
    const groups = grouped(run);
    const listed = groups.slice(0, shownAtAll).map((same) => denial(same, show));
    const left = groups.length - shownAtAll;
    const folded = listed.slice(shownAtOnce);
    return el(
      "section.card.denials",
      { "aria-labelledby": "denied" },
      el("h2", { id: "denied", tabindex: -1 }, "Denied ", el("span.number", {}, amount(run.denials.length))),
      el("ol", {}, ...listed.slice(0, shownAtOnce)),
      folded.length > 0 &&
        el(
          "details.more",
          {},
          el("summary", {}, `${amount(groups.length - shownAtOnce)} more`),
          el("ol", {}, ...folded),
          left > 0 &&
            el(
              "p.empty",
              {},
              `${count(left, "more is", "more are")} in the list below, under the outcome “denied”.`,
            ),
        ),
    );
  };

  return { render };
};
