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

  type Column = { name: string; of: (run: Run) => number; say: (value: number) => string };

  const columnsOf = (runs: readonly Run[]): Column[] => {
    const costs = runs.some(({ usage }) => (usage?.cost ?? 0) > 0);
    return [
      { name: "time", of: ({ durationMs }) => durationMs, say: duration },
      { name: "tools", of: kit.toolCalls, say: amount },
      { name: "denied", of: ({ denials }) => denials.length, say: amount },
      { name: "tokens", of: ({ usage }) => (usage ? usage.input + usage.output : 0), say: amount },
      costs
        ? { name: "credits", of: ({ usage }) => usage?.cost ?? 0, say: amount }
        : { name: "premium", of: ({ usage }) => usage?.premium ?? 0, say: amount },
    ];
  };

  /** On a narrow screen the cells stand below each other and carry the names of their columns. */
  const number = ({ name, say }: Column, value: number, mood?: string): HTMLElement =>
    el("td.number", { "data-name": name, "data-mood": mood }, say(value));

  const row = (run: Run, columns: readonly Column[], longest: number): HTMLElement => {
    const heading = overview.heading(run);
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
          el("button", { type: "button" }, heading),
          heading !== run.name && el("span.soft", {}, run.name),
        ),
      ),
      el("td", {}, el("span.badge", { "data-outcome": verdictOf(run) }, outcomeName(verdictOf(run)))),
      el("td.wide", {}, strip(run, longest)),
      ...columns.map((column) =>
        number(column, column.of(run), column.name === "denied" && column.of(run) > 0 ? "bad" : undefined),
      ),
      el("td.go", {}, icon("chevron")),
    );
  };

  const render = (runs: readonly Run[], choose: (run: number) => void) => {
    const longest = runs.reduce((most, { durationMs }) => Math.max(most, durationMs), 1);
    const sum = (of: (run: Run) => number): number => runs.reduce((total, run) => total + of(run), 0);
    const completed = runs.filter(({ outcome }) => outcome === "completed").length;
    const unmet = runs.filter((run) => verdictOf(run) === "unmet").length;
    const denied = sum(({ denials }) => denials.length);
    const columns = columnsOf(runs);

    const rows = runs.map((run, index) => {
      const node = row(run, columns, longest);
      node.addEventListener("click", () => choose(index));
      return node;
    });

    /** Gives the keyboard to the run that is shown. */
    const focus = (): void =>
      rows
        .find((node) => node.getAttribute("aria-current") === "true")
        ?.querySelector("button")
        ?.focus({ preventScroll: true });

    const mark = (chosen: number): void =>
      rows.forEach((node, index) => node.setAttribute("aria-current", String(index === chosen)));

    const node = el(
      "section.card.runs",
      { "aria-labelledby": "runs-title" },
      el("h2", { id: "runs-title" }, count(runs.length, "run")),
      el(
        "p.sentence",
        {},
        `${amount(completed)} completed, ${amount(runs.length - completed)} did not. `,
        `${count(denied, "request was", "requests were")} denied.`,
        unmet > 0 && ` ${count(unmet, "run")} did not do what was expected.`,
      ),
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...["run", "outcome", "", ...columns.map(({ name }) => name), ""].map((name) =>
              el("th", { scope: "col" }, name),
            ),
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
            el("td.gap", { colspan: 2 }),
            ...columns.map((column) => number(column, sum(column.of))),
            el("td.go"),
          ),
        ),
      ),
    );
    return { node, mark, focus };
  };

  return { render };
};
