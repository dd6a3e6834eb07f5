/** Several runs side by side: one line each, on one time scale, and the totals. */
import type { Run } from "../model.ts";
import type { Kit } from "./kit.ts";
import type { createOverview } from "./overview.ts";

export const createRuns = (kit: Kit, overview: ReturnType<typeof createOverview>) => {
  const { el, svg, icon, duration, amount, count, outcomeName, verdictOf } = kit;
  const cells = 160;

  /** A run as a strip of cells, each coloured by the worst that happened in it. */
  const strip = (run: Run, longest: number): SVGElement => {
    const rank = ["", "unfinished", "model", "ok", "exit", "failed", "denied"];
    const looks = new Array<string>(cells).fill("");
    for (const { kind, at, ms = 0, outcome } of run.entries) {
      if (kind !== "model" && kind !== "tool" && kind !== "error") continue;
      const look = kind === "model" && outcome !== "unfinished" ? "model" : (outcome ?? "ok");
      const from = Math.floor((at / longest) * cells);
      const to = Math.min(cells - 1, Math.floor(((at + ms) / longest) * cells));
      for (let cell = from; cell <= to; cell += 1)
        if (rank.indexOf(look) > rank.indexOf(looks[cell] ?? "")) looks[cell] = look;
    }
    const root = svg("svg.strip", {
      viewBox: `0 0 ${cells} 10`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    for (let from = 0, to = 0; from < cells; from = to) {
      const look = looks[from] ?? "";
      while (to < cells && looks[to] === look) to += 1;
      if (look !== "")
        root.append(svg("rect.bar", { "data-look": look, x: from, y: 0, width: to - from, height: 10 }));
    }
    return root;
  };

  const render = (runs: readonly Run[], choose: (run: number) => void) => {
    const longest = runs.reduce((most, { durationMs }) => Math.max(most, durationMs), 1);
    const sum = (of: (run: Run) => number): number => runs.reduce((total, run) => total + of(run), 0);
    const tools = (run: Run): number => run.tools.reduce((total, { calls }) => total + calls, 0);
    const tokens = ({ usage }: Run): number => (usage ? usage.input + usage.output : 0);
    const cost = ({ usage }: Run): number => usage?.cost ?? 0;
    const premium = ({ usage }: Run): number => usage?.premium ?? 0;
    const completed = runs.filter(({ outcome }) => outcome === "completed").length;
    const unmet = runs.filter((run) => verdictOf(run) === "unmet").length;
    const costs = sum(cost) > 0 ? cost : premium;

    const rows = runs.map((run, index) => {
      const button = el("button", { type: "button" }, run.name);
      button.addEventListener("click", () => choose(index));
      return el(
        "tr",
        { "data-outcome": verdictOf(run) },
        el(
          "th",
          { scope: "row" },
          el(
            "div",
            {},
            icon(verdictOf(run)),
            button,
            el("span.soft", {}, overview.heading(run) === run.name ? "" : overview.heading(run)),
          ),
        ),
        el("td", {}, el("span.badge", { "data-outcome": verdictOf(run) }, outcomeName(verdictOf(run)))),
        el("td.wide", {}, strip(run, longest)),
        el("td", {}, duration(run.durationMs)),
        el("td", {}, amount(tools(run))),
        el("td", { "data-mood": run.denials.length > 0 ? "bad" : undefined }, amount(run.denials.length)),
        el("td", {}, amount(tokens(run))),
        el("td", {}, amount(costs(run))),
      );
    });

    const mark = (chosen: number): void =>
      rows.forEach((row, index) => row.setAttribute("aria-current", String(index === chosen)));

    const node = el(
      "section.card.runs",
      { "aria-labelledby": "runs-title" },
      el("h2", { id: "runs-title" }, count(runs.length, "run")),
      el(
        "p.sentence",
        {},
        `${amount(completed)} completed, ${amount(runs.length - completed)} did not. ${count(
          sum((run) => run.denials.length),
          "request was",
          "requests were",
        )} denied.${unmet > 0 ? ` ${count(unmet, "run")} did not do what was expected.` : ""}`,
      ),
      el(
        "div.scroll",
        {},
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ...[
                "run",
                "outcome",
                "",
                "time",
                "tools",
                "denied",
                "tokens",
                sum(cost) > 0 ? "credits" : "premium",
              ].map((name) => el("th", { scope: "col" }, name)),
            ),
          ),
          el("tbody", {}, ...rows),
          el(
            "tfoot",
            {},
            el(
              "tr",
              {},
              el("th", { scope: "row" }, "Together"),
              el("td"),
              el("td"),
              el("td", {}, duration(sum(({ durationMs }) => durationMs))),
              el("td", {}, amount(sum(tools))),
              el("td", {}, amount(sum((run) => run.denials.length))),
              el("td", {}, amount(sum(tokens))),
              el("td", {}, amount(sum(costs))),
            ),
          ),
        ),
      ),
    );
    return { node, mark };
  };

  return { render };
};
