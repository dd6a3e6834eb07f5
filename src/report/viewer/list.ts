/** The list of everything that happened. Only the rows near the screen exist, so that a huge log stays usable. */
import type { Run } from "../model.ts";
import type { createDetails } from "./details.ts";
import type { Kit } from "./kit.ts";

export const createList = (kit: Kit, details: ReturnType<typeof createDetails>) => {
  const { el, icon, duration, moment, amount, count, outcomeName } = kit;
  const chunkSize = 60;
  const alwaysFilled = 4;
  const printedChunks = 50;

  const render = (run: Run, showEverything: () => void) => {
    const host = el("div.rows", { role: "list" });
    const status = el("p.status", { role: "status" });
    const open = new Set<number>();
    const longest = Math.log1p(run.entries.reduce((most, { ms }) => Math.max(most, ms ?? 0), 1));
    let shown: number[] = [];
    let chunks: HTMLElement[] = [];

    const row = (index: number): HTMLElement => {
      const entry = run.entries[index];
      if (!entry) return el("div.row");
      const { kind, name, title, outcome, note, at, ms, depth } = entry;
      const bar = el("i.bar");
      bar.style.width = `${ms === undefined ? 0 : Math.max(2, (Math.log1p(ms) / longest) * 100)}%`;
      const badge =
        outcome === undefined || outcome === "ok" ? undefined : (note ?? outcomeName(outcome).toLowerCase());
      const button = el(
        "button.line",
        { type: "button", "aria-expanded": String(open.has(index)) },
        el("span.when", {}, moment(at, true)),
        el("span.dot", {}),
        el("span.name", {}, kind === "model" ? "model" : name),
        el("span.title", {}, title),
        badge !== undefined && el("span.badge", { "data-outcome": outcome }, badge),
        el("span.took", {}, bar, el("span", {}, ms === undefined ? "" : duration(ms))),
        icon("chevron"),
      );
      const node = el(
        "div.row",
        { role: "listitem", "data-kind": kind, "data-outcome": outcome, "data-entry": index },
        button,
      );
      node.style.setProperty("--depth", String(Math.min(depth, 6)));
      const unfold = (): void => {
        const agent = entry.agent === 0 ? undefined : run.agents[entry.agent]?.name;
        node.append(details.render(entry, agent));
      };
      button.addEventListener("click", () => {
        if (open.delete(index)) node.lastElementChild?.remove();
        else {
          open.add(index);
          unfold();
        }
        button.setAttribute("aria-expanded", String(open.has(index)));
      });
      if (open.has(index)) unfold();
      return node;
    };

    const fill = (chunk: HTMLElement): void => {
      if (chunk.childElementCount > 0) return;
      const from = Number(chunk.dataset["from"]);
      chunk.append(...shown.slice(from, from + chunkSize).map(row));
      chunk.style.minHeight = "";
    };

    const empty = (chunk: HTMLElement): void => {
      if (chunk.childElementCount === 0 || chunk.contains(document.activeElement)) return;
      chunk.style.minHeight = `${chunk.offsetHeight}px`;
      chunk.replaceChildren();
    };

    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes)
          if (target instanceof HTMLElement) (isIntersecting ? fill : empty)(target);
      },
      { rootMargin: "1200px 0px" },
    );

    const nothing = (): HTMLElement => {
      const button = el("button.everything", { type: "button" }, "Show everything");
      button.addEventListener("click", showEverything);
      return run.entries.length === 0
        ? el("div.nothing", {}, el("p", {}, "The log holds nothing to list."))
        : el(
            "div.nothing",
            { role: "listitem" },
            el("p", {}, "Nothing matches this search and these filters."),
            button,
          );
    };

    const rowHeight = (): number => (matchMedia("(max-width: 640px)").matches ? 58 : 38);

    const show = (matches: (entry: Run["entries"][number]) => boolean): void => {
      shown = [];
      run.entries.forEach((entry, index) => {
        if (matches(entry)) shown.push(index);
      });
      observer.disconnect();
      chunks = [];
      for (let from = 0; from < shown.length; from += chunkSize) {
        const chunk = el("div.chunk", { "data-from": from });
        chunk.style.minHeight = `${Math.min(chunkSize, shown.length - from) * rowHeight()}px`;
        chunks.push(chunk);
      }
      host.replaceChildren(...(shown.length === 0 ? [nothing()] : chunks));
      if (chunks.length <= alwaysFilled) chunks.forEach(fill);
      else for (const chunk of chunks) observer.observe(chunk);
      status.textContent =
        shown.length === run.entries.length
          ? count(shown.length, "entry", "entries")
          : `${amount(shown.length)} of ${count(run.entries.length, "entry", "entries")}`;
    };

    /** The row at a position of the list, made if it does not exist yet. */
    const rowAt = (position: number): HTMLElement | undefined => {
      const chunk = chunks[Math.floor(position / chunkSize)];
      if (!chunk || position < 0) return undefined;
      fill(chunk);
      const node = chunk.children[position % chunkSize];
      return node instanceof HTMLElement ? node : undefined;
    };

    const focusOn = (position: number): boolean => {
      const button = rowAt(position)?.querySelector("button");
      button?.focus({ preventScroll: true });
      button?.scrollIntoView({ block: "nearest" });
      return button !== null && button !== undefined;
    };

    /** Shows an entry unfolded; false when the filter hides it. */
    const reveal = (index: number): boolean => {
      const position = shown.indexOf(index);
      const node = position < 0 ? undefined : rowAt(position);
      const button = node?.querySelector("button");
      if (!node || !button) return false;
      if (!open.has(index)) button.click();
      button.focus({ preventScroll: true });
      node.scrollIntoView({ block: "center" });
      return true;
    };

    host.addEventListener("keydown", (event) => {
      const own = event.target instanceof Element ? event.target.closest<HTMLElement>(".row") : null;
      if (!own || !(event.target instanceof HTMLButtonElement)) return;
      const position = shown.indexOf(Number(own.dataset["entry"]));
      const to = { ArrowDown: position + 1, ArrowUp: position - 1, Home: 0, End: shown.length - 1 }[
        event.key
      ];
      const folds = { ArrowRight: false, ArrowLeft: true }[event.key];
      if (to !== undefined && focusOn(to)) event.preventDefault();
      if (folds !== undefined && open.has(Number(own.dataset["entry"])) === folds) {
        event.target.click();
        event.preventDefault();
      }
    });

    const fillForPrint = (): void => chunks.slice(0, printedChunks).forEach(fill);

    return { host, status, show, reveal, fillForPrint, stop: () => observer.disconnect() };
  };

  return { render };
};
