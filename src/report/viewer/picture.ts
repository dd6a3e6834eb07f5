/** The run as a picture: time from left to right, one band per agent, model calls above tool calls. */
import type { Run } from "../model.ts";
import type { Kit } from "./kit.ts";
import type { Layout, Range, createLayout } from "./picture-layout.ts";

export const createPicture = (kit: Kit, { layout }: ReturnType<typeof createLayout>) => {
  const { el, svg, duration, howLong, moment, amount, count } = kit;

  const niceStep = (span: number, wanted: number): number => {
    const rough = span / Math.max(1, wanted);
    const steps = [
      1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1.5e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5,
    ];
    return steps.find((step) => step >= rough) ?? Math.ceil(rough / 36e5) * 36e5;
  };

  const drawAxis = (range: Range, width: number, height: number): SVGElement => {
    const span = Math.max(1, range.to - range.from);
    const step = niceStep(span, width / 110);
    const axis = svg("g");
    for (let tick = Math.ceil(range.from / step) * step; tick <= range.to; tick += step) {
      const x = ((tick - range.from) / span) * width;
      const label = step < 1000 ? duration(tick) : moment(tick, false);
      axis.append(svg("line.tick", { x1: x, x2: x, y1: 18, y2: height }));
      if (x < width - 30) axis.append(svg("text.tick-label", { x: x + 3, y: 12 }, label));
    }
    return axis;
  };

  const drawTurns = (run: Run, { bands }: Layout, range: Range, width: number): SVGElement => {
    const scale = width / Math.max(1, range.to - range.from);
    const group = svg("g");
    const own = bands[0] ?? { top: 0, height: 0 };
    let labelled = -Infinity;
    run.turns
      .filter(({ agent }) => agent === 0)
      .forEach((turn, index) => {
        const x = Math.max(0, (turn.at - range.from) * scale);
        const end = Math.min(width, (turn.at + (turn.ms ?? run.durationMs - turn.at) - range.from) * scale);
        if (end <= 0 || x >= width || end - x < 1.5) return;
        if (index % 2 === 0)
          group.append(svg("rect.turn", { x, y: own.top, width: end - x, height: own.height, rx: 4 }));
        if (end - x < 24 || x < labelled) return;
        const label = end - x > 46 ? `turn ${index + 1}` : String(index + 1);
        labelled = x + 24;
        group.append(svg("text.turn-label", { x: x + 5, y: own.top + 13 }, label));
      });
    return group;
  };

  const drawSubAgents = (run: Run, { bands }: Layout, range: Range, width: number): SVGElement => {
    const scale = width / Math.max(1, range.to - range.from);
    const group = svg("g");
    for (const { agent, top, height } of bands.slice(1)) {
      const { name = "", depth = 0, at = 0, ms } = run.agents[agent] ?? {};
      const x = Math.max(0, (at - range.from) * scale);
      const end = Math.min(width, (at + (ms ?? run.durationMs - at) - range.from) * scale);
      if (end > 0 && x < width)
        group.append(svg("rect.band", { x, y: top, width: Math.max(3, end - x), height, rx: 5 }));
      const words = `${"↳ ".repeat(Math.min(3, depth))}${name.slice(0, 40)}`;
      const room = Math.max(4, width - words.length * 7);
      group.append(svg("text.agent", { x: Math.min(Math.max(4, x + 6), room), y: top + 14 }, words));
    }
    return group;
  };

  const drawBars = ({ bars }: Layout): SVGElement =>
    svg(
      "g",
      {},
      ...bars.map((bar) => {
        const width = bar.end - bar.x;
        return svg("rect.bar", {
          "data-look": bar.look,
          "data-entry": bar.entry,
          "data-more": bar.more,
          x: bar.x.toFixed(2),
          y: bar.y,
          width: Math.max(2, width > 4 ? width - 0.8 : width).toFixed(2),
          height: bar.height,
          rx: width > 6 ? 3 : 1,
        });
      }),
    );

  const describe = (run: Run): string => {
    return `Timeline of ${duration(run.durationMs)}: ${count(run.asked.times, "model call")} and ${count(kit.toolCalls(run), "tool call")}. The list below holds the same as text.`;
  };

  const render = (
    run: Run,
    options: { range: Range; onRange: (range: Range) => void; onEntry: (entry: number) => void },
  ): HTMLElement => {
    const { range, onRange, onEntry } = options;
    const host = el("div.picture");
    const tip = el("div.tip", { hidden: "" });

    const barAt = (event: Event): DOMStringMap | undefined =>
      event.target instanceof SVGElement && event.target.dataset["entry"] !== undefined
        ? event.target.dataset
        : undefined;

    const showTip = (event: PointerEvent, x: number, y: number, width: number): void => {
      const bar = barAt(event);
      const entry = run.entries[Number(bar?.["entry"])];
      tip.hidden = !bar || !entry;
      if (!bar || !entry) return;
      const more = Number(bar["more"]);
      tip.replaceChildren(
        el("strong", {}, entry.name),
        el("span", {}, entry.title),
        el(
          "em",
          {},
          more > 0
            ? `and ${amount(more)} more here: drag to look closer`
            : `at ${moment(entry.at, true)}, ${howLong(entry)}`,
        ),
      );
      tip.style.left = `${Math.min(Math.max(0, x - 20), Math.max(0, width - 300))}px`;
      tip.style.top = `${y + 18}px`;
    };

    /** Hover explains a bar, a click shows it in the list, dragging looks closer. */
    const listen = (root: SVGElement, width: number): void => {
      let start: number | undefined;
      const brush = svg("rect.brush", { x: 0, y: 0, width: 0, height: "100%" });
      root.append(brush);
      const place = (event: PointerEvent) => {
        const box = root.getBoundingClientRect();
        return { x: Math.min(width, Math.max(0, event.clientX - box.left)), y: event.clientY - box.top };
      };
      const timeAt = (x: number): number => range.from + (x / width) * (range.to - range.from);
      root.addEventListener("pointermove", (event) => {
        const { x, y } = place(event);
        if (start === undefined) return showTip(event, x, y, width);
        brush.setAttribute("x", String(Math.min(x, start)));
        brush.setAttribute("width", String(Math.abs(x - start)));
      });
      root.addEventListener("pointerleave", () => {
        tip.hidden = true;
        start = undefined;
        brush.setAttribute("width", "0");
      });
      root.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && event.button === 0) start = place(event).x;
      });
      root.addEventListener("pointerup", (event) => {
        const from = start;
        const { x } = place(event);
        start = undefined;
        brush.setAttribute("width", "0");
        const bar = barAt(event);
        if (from !== undefined && Math.abs(x - from) > 8)
          onRange({ from: timeAt(Math.min(from, x)), to: timeAt(Math.max(from, x)) });
        else if (bar) onEntry(Number(bar["entry"]));
      });
    };

    const draw = (): void => {
      const width = Math.max(240, host.clientWidth);
      const plan = layout(run, range, width);
      const height = plan.height + (plan.hiddenAgents > 0 ? 18 : 0);
      const root = svg(
        "svg",
        { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe(run) },
        drawAxis(range, width, height),
        drawTurns(run, plan, range, width),
        drawSubAgents(run, plan, range, width),
        drawBars(plan),
        plan.hiddenAgents > 0 &&
          svg(
            "text.turn-label",
            { x: 4, y: height - 5 },
            `and ${count(plan.hiddenAgents, "more sub-agent")}`,
          ),
      );
      listen(root, width);
      host.replaceChildren(root, tip);
    };

    let drawnWidth = -1;
    new ResizeObserver(() => {
      if (host.clientWidth === drawnWidth) return;
      drawnWidth = host.clientWidth;
      draw();
    }).observe(host);
    return host;
  };

  return { render };
};
