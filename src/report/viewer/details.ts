/** What an entry unfolds to: arguments, output, diff, text. */
import type { Entry, Section } from "../model.ts";
import type { Kit } from "./kit.ts";
import type { createMarkdown } from "./markdown.ts";

export const createDetails = (kit: Kit, markdown: ReturnType<typeof createMarkdown>) => {
  const { el } = kit;

  const diffClass = (line: string): string => {
    if (line.startsWith("@@")) return "span.hunk";
    if (/^(?:diff --git|index |---|\+\+\+|create file mode|new file mode|deleted file mode)/.test(line))
      return "span.meta";
    if (line.startsWith("+")) return "span.add";
    return line.startsWith("-") ? "span.del" : "span.same";
  };

  const diff = (text: string): HTMLElement =>
    el(
      "pre.diff",
      { tabindex: 0 },
      ...text
        .split("\n")
        .filter((line) => !/^(?:diff --git|index )/.test(line))
        .map((line) => el(diffClass(line), {}, `${line}\n`)),
    );

  const pre = (text: string): HTMLElement => el("pre", { tabindex: 0 }, text);

  /** Arguments as names and values: text with line breaks reads badly as JSON. */
  const json = (text: string): HTMLElement => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return pre(text);
    }
    if (value === null || typeof value !== "object" || Array.isArray(value)) return pre(text);
    const rows = Object.entries(value).map(([name, item]) =>
      el(
        "div.pair",
        {},
        el("dt", {}, name),
        el("dd", {}, pre(typeof item === "string" ? item : (JSON.stringify(item, null, 2) ?? ""))),
      ),
    );
    return rows.length === 0 ? pre("{}") : el("dl.pairs", {}, ...rows);
  };

  const body = ({ form, text }: Section): HTMLElement => {
    switch (form) {
      case "markdown":
        return markdown.render(text);
      case "diff":
        return diff(text);
      case "json":
        return json(text);
      case "text":
        return el("p.words", {}, text);
      case "code":
        return pre(text);
    }
  };

  const tokenLine = ({ tokens }: Entry): string[] =>
    tokens === undefined
      ? []
      : [
          tokens.input > 0
            ? `${kit.count(tokens.input, "token")} in${tokens.cached > 0 ? ` (${kit.amount(tokens.cached)} cached)` : ""}`
            : "",
          `${kit.amount(tokens.output)} out`,
          tokens.cost > 0 ? kit.count(tokens.cost, "credit") : "",
        ];

  const render = (entry: Entry, agentName: string | undefined): HTMLElement => {
    const facts = [
      `${kit.moment(entry.at, true)} into the run`,
      entry.ms === undefined ? "" : kit.howLong(entry),
      agentName === undefined ? "" : `by ${agentName}`,
      entry.approved ? "allowed by the policy" : "",
      entry.turn === undefined ? "" : `turn ${Number(entry.turn) + 1 || entry.turn}`,
      ...tokenLine(entry),
      `line ${entry.line} of the log`,
    ];
    return el(
      "div.details",
      {},
      ...entry.sections.map((section) =>
        el("section.part", { "data-label": section.label }, el("h4", {}, section.label), body(section)),
      ),
      el("p.facts", {}, facts.filter((fact) => fact !== "").join(" · ")),
    );
  };

  return { render };
};
