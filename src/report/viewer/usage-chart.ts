/** Tokens per model call and what they cost so far, on the time axis of the picture above. */
import type { ModelCall, Run } from "../model.ts";
import type { Kit } from "./kit.ts";
import type { Range } from "./picture-layout.ts";

export const createUsageChart = (kit: Kit) => {
  const { el, svg, amount, count } = kit;
  const height = 84;
  const top = 8;

  const callsOf = (run: Run): ModelCall[] =>
    run.calls.length > 0
      ? run.calls
      : run.entries.flatMap(({ kind, tokens, at, ms, agent, name }) =>
          kind === "model" && tokens ? [{ ...tokens, at: at + (ms ?? 0), agent, model: name }] : [],
        );

  /** Many calls on one pixel are drawn as the largest of them. */
  const columns = (calls: readonly ModelCall[], place: (at: number) => number): ModelCall[] => {
    const byPixel = new Map<number, ModelCall>();
    for (const call of calls) {
      const pixel = Math.round(place(call.at) / 3);
      const other = byPixel.get(pixel);
      if (!other || call.input + call.output > other.input + other.output) byPixel.set(pixel, call);
    }
    return [...byPixel.values()];
  };

  const draw = (run: Run, range: Range, width: number): SVGElement => {
    const calls = callsOf(run).sort((a, b) => a.at - b.at);
    const place = (at: number): number => ((at - range.from) / Math.max(1, range.to - range.from)) * width;
    const most = calls.reduce((value, { input, output }) => Math.max(value, input + output), 1);
    const wide = Math.min(14, Math.max(3, width / Math.max(1, calls.length) / 3));
    const tall = (tokens: number): number => (tokens / most) * (height - top);
    const root = svg("svg", {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": "Tokens of each model call over time, and the cost so far",
    });
    for (const { at, input, output, cached } of columns(calls, place)) {
      const x = place(at);
      if (x < -4 || x > width + 4) continue;
      const left = Math.min(Math.max(0, x - wide / 2), width - wide);
      const piece = (look: string, tokens: number, base: number): SVGElement =>
        svg(`rect.${look}`, {
          x: left,
          y: height - tall(base + tokens),
          width: wide,
          height: tall(tokens),
          rx: 1,
        });
      root.append(
        piece("cached", cached, 0),
        piece("input", Math.max(0, input - cached), cached),
        piece("output", output, input),
      );
    }
    const costs = calls.some(({ cost }) => cost > 0)
      ? calls.map(({ cost }) => cost)
      : calls.map(({ premium }) => premium);
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    if (total > 0) {
      let sum = 0;
      let path = `M0 ${height}`;
      const stride = Math.max(1, Math.floor(calls.length / 1000));
      calls.forEach(({ at }, index) => {
        sum += costs[index] ?? 0;
        if (index % stride !== 0 && index !== calls.length - 1) return;
        const x = Math.min(width, Math.max(0, place(at)));
        path += `H${x.toFixed(1)}V${(height - (sum / total) * (height - top)).toFixed(1)}`;
      });
      root.append(svg("path.cost", { d: `${path}H${width}` }));
    }
    return root;
  };

  const legend = (run: Run): HTMLElement => {
    const calls = callsOf(run);
    const { cost = 0, premium = 0 } = run.usage ?? {};
    const most = calls.reduce((value, { input, output }) => Math.max(value, input + output), 0);
    return el(
      "p.legend",
      {},
      el("span", { "data-look": "input" }, "input"),
      el("span", { "data-look": "cached" }, "from cache"),
      el("span", { "data-look": "output" }, "output"),
      cost + premium > 0 &&
        el(
          "span",
          { "data-look": "cost" },
          `cost so far, up to ${cost > 0 ? count(cost, "credit") : count(premium, "premium request")}`,
        ),
      el("em", {}, `largest call ${count(most, "token")}`),
    );
  };

  const render = (run: Run, range: Range): HTMLElement => {
    if (callsOf(run).length === 0)
      return el(
        "p.empty",
        {},
        run.usage
          ? `${count(run.usage.input, "token")} in, ${amount(run.usage.output)} out, in ${count(run.usage.requests, "model call")}. The log does not say how they spread over time.`
          : "The log holds no token counts.",
      );
    const host = el("div.usage-chart");
    let drawnWidth = -1;
    new ResizeObserver(() => {
      if (host.clientWidth === drawnWidth) return;
      drawnWidth = host.clientWidth;
      host.replaceChildren(draw(run, range, Math.max(240, drawnWidth)));
    }).observe(host);
    return el("div", {}, host, legend(run));
  };

  return { render };
};
