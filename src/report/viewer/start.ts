/** Puts the page together from the data that travels in it. */
import type { Run } from "../model.ts";
import type { createWords } from "../words.ts";
import type { createDenials } from "./denials.ts";
import type { createDetails } from "./details.ts";
import type { createFilters } from "./filters.ts";
import type { createKit } from "./kit.ts";
import type { createList } from "./list.ts";
import type { createMarkdown } from "./markdown.ts";
import type { createOverview } from "./overview.ts";
import type { createPicture } from "./picture.ts";
import type { Range, createLayout } from "./picture-layout.ts";
import type { createRuns } from "./runs.ts";
import type { createUsageChart } from "./usage-chart.ts";

export type Parts = {
  createWords: typeof createWords;
  createKit: typeof createKit;
  createMarkdown: typeof createMarkdown;
  createDenials: typeof createDenials;
  createDetails: typeof createDetails;
  createFilters: typeof createFilters;
  createList: typeof createList;
  createOverview: typeof createOverview;
  createLayout: typeof createLayout;
  createPicture: typeof createPicture;
  createRuns: typeof createRuns;
  createUsageChart: typeof createUsageChart;
};

export const startViewer = (parts: Parts): void => {
  const kit = parts.createKit(parts.createWords());
  const { el, icon } = kit;
  const markdown = parts.createMarkdown(kit);
  const overview = parts.createOverview(kit, markdown);
  const denials = parts.createDenials(kit, markdown);
  const picture = parts.createPicture(kit, parts.createLayout());
  const usageChart = parts.createUsageChart(kit);
  const filters = parts.createFilters(kit);
  const lists = parts.createList(kit, parts.createDetails(kit, markdown));
  const runs = JSON.parse(document.getElementById("data")?.textContent ?? "[]") as Run[];
  const main = document.querySelector("main") ?? document.body;
  const stage = el("div.stage");
  let fillForPrint = (): void => undefined;

  const wholeRange = (run: Run): Range => ({
    from: 0,
    to: run.entries.reduce((end, { at, ms = 0 }) => Math.max(end, at + ms), 1),
  });

  const legend = ({ entries }: Run): HTMLElement => {
    const isDrawn = ({ kind, outcome }: Run["entries"][number]): boolean =>
      outcome === "unfinished" && (kind === "model" || kind === "tool");
    return el(
      "p.legend",
      {},
      ...[
        ["model", "model"],
        ["ok", "tool"],
        ["exit", "exit ≠ 0"],
        ["failed", "failed"],
        ["denied", "denied"],
        ...(entries.some(isDrawn) ? [["unfinished", "unfinished"]] : []),
      ].map(([look = "", word = ""]) => el("span", { "data-look": look }, word)),
      el("em", {}, "drag to look closer"),
    );
  };

  /** At once: a scroll that takes its time would go on below the typing. */
  const showList = (behavior: ScrollBehavior = "instant"): void =>
    document.querySelector(".card.list")?.scrollIntoView({ block: "start", behavior });

  const showRun = (run: Run): (() => void) => {
    const filter = filters.initial();
    const list = lists.render(run, () => {
      clear({ kinds: filters.all() });
      toolbarHost.querySelector("input")?.focus({ preventScroll: true });
      showList();
    });
    const charts = el("div.charts");
    const reset = el("button.reset", { type: "button", hidden: "" }, "Whole run");
    const toolbarHost = el("div.toolbar-host");

    const refresh = (): void => list.show(filters.matcher(filter));

    /** From its first result on: before, the view may have been anywhere in the list. */
    const search = (): void => {
      refresh();
      showList();
    };

    const drawToolbar = (): void =>
      toolbarHost.replaceChildren(filters.toolbar(run, filter, refresh, search));

    const drawCharts = (): void => {
      const range = filter.range ?? wholeRange(run);
      reset.hidden = filter.range === undefined;
      charts.replaceChildren(
        picture.render(run, { range, onRange: setRange, onEntry: reveal }),
        el("h3", {}, "Tokens"),
        usageChart.render(run, range),
      );
    };

    const setRange = (range: Range | undefined): void => {
      if (range) filter.range = range;
      else delete filter.range;
      drawCharts();
      refresh();
    };

    const clear = (changes: Partial<typeof filter>): void => {
      const wasCloser = filter.range !== undefined;
      delete filter.range;
      Object.assign(filter, filters.initial(), changes);
      drawToolbar();
      if (wasCloser) drawCharts();
      refresh();
    };

    const reveal = (entry: number): void => {
      if (list.reveal(entry)) return;
      clear({ kinds: filters.all() });
      list.reveal(entry);
    };

    const filterTool = (tool: string): void => {
      clear({ tool });
      showList("auto");
    };

    reset.addEventListener("click", () => setRange(undefined));
    drawToolbar();
    const denied = denials.render(run, reveal);
    const tools = overview.tools(run, filterTool);
    const files = overview.files(run);
    const expectations = overview.expectations(run);
    stage.replaceChildren(
      overview.hero(run),
      ...(expectations ? [expectations] : []),
      el(
        "section.card.timeline",
        { "aria-labelledby": "timeline-title" },
        el("div.title-line", {}, el("h2", { id: "timeline-title" }, "Timeline"), legend(run), reset),
        charts,
      ),
      el(
        "div.columns",
        {},
        el("div", {}, overview.answer(run), denied && tools, denied && files),
        el("div", {}, denied ?? tools, denied ? undefined : files),
      ),
      el(
        "section.card.list",
        { "aria-labelledby": "list-title" },
        el("div.title-line", {}, el("h2", { id: "list-title" }, "Everything that happened"), list.status),
        toolbarHost,
        list.host,
      ),
    );
    drawCharts();
    refresh();
    fillForPrint = list.fillForPrint;
    return list.stop;
  };

  const themeButton = (): HTMLElement => {
    const button = el(
      "button.theme",
      { type: "button", "aria-label": "Change between light and dark" },
      icon("theme"),
    );
    button.addEventListener("click", () => {
      const root = document.documentElement;
      const dark =
        root.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
      root.dataset["theme"] = dark === "dark" ? "light" : "dark";
    });
    return button;
  };

  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const search = document.querySelector<HTMLInputElement>("input[type=search]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      search?.focus({ preventScroll: true });
      showList();
      event.preventDefault();
    }
    if (event.key === "Escape" && event.target === search && search) {
      search.value = "";
      search.dispatchEvent(new Event("input"));
      search.blur();
    }
  });
  addEventListener("beforeprint", () => fillForPrint());

  let stop = (): void => undefined;
  const choose = (index: number): void => {
    const run = runs[index];
    if (!run) return;
    document.title = `${kit.outcomeName(kit.verdictOf(run))}: ${overview.heading(run).slice(0, 80)}`;
    stop();
    stop = showRun(run);
    side?.mark(index);
  };
  const backToRuns = (): HTMLElement => {
    const button = el("button.back", { type: "button" }, "↑ All runs");
    button.addEventListener("click", () => {
      side?.node.scrollIntoView({ block: "start" });
      side?.focus();
    });
    return button;
  };

  /** Who compares runs wants to keep the table: it goes out of view only where the run would not be in view. */
  const showHeading = (): void => {
    const sentence = stage.querySelector(".hero .sentence")?.getBoundingClientRect();
    if (sentence && sentence.top >= 0 && sentence.bottom <= innerHeight) return;
    stage.prepend(backToRuns());
    stage.scrollIntoView({ block: "start" });
  };

  const side =
    runs.length > 1
      ? parts.createRuns(kit, overview).render(runs, (index) => {
          choose(index);
          showHeading();
        })
      : undefined;

  main.replaceChildren(
    el("div.brand", {}, el("span", {}, "copilot-driver"), el("span.soft", {}, "run report"), themeButton()),
    ...(side ? [side.node] : []),
    stage,
  );
  if (runs.length === 0) stage.append(el("p.empty", {}, "There is no run to show."));
  choose(0);
  document.documentElement.dataset["ready"] = "yes";
};
