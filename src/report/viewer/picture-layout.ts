/** Where each agent's band and each bar of the picture goes. */
import type { Entry, Run } from "../model.ts";

export type Range = { from: number; to: number };

export type Bar = {
  x: number;
  end: number;
  y: number;
  height: number;
  look: string;
  entry: number;
  /** How many further entries this bar stands for. */
  more: number;
};

export type Band = { agent: number; top: number; height: number };

export type Layout = { bands: Band[]; bars: Bar[]; height: number; hiddenAgents: number };

export const createLayout = () => {
  const bandsShown = 12;
  const toolRows = 4;
  const barHeight = 12;
  const modelHeight = 8;
  const labelHeight = 20;
  const axisHeight = 26;
  const looks = ["ok", "model", "exit", "unfinished", "failed", "denied"];

  /** Agents in the order of the tree, parents before their children. */
  const bandOrder = (run: Run): number[] => {
    const children = run.agents.map((): number[] => []);
    run.agents.forEach(({ parent }, index) => {
      if (index !== 0) children[parent ?? 0]?.push(index);
    });
    const order: number[] = [];
    const stack = [0];
    while (stack.length > 0 && order.length < run.agents.length) {
      const index = stack.pop() ?? 0;
      order.push(index);
      for (const child of (children[index] ?? []).reverse()) stack.push(child);
    }
    return order;
  };

  /** Bars that would fall on the same pixels become one, so that a hundred thousand events stay a picture. */
  const merge = (bars: readonly Bar[]): Bar[] => {
    const open = new Map<string, Bar>();
    const merged: Bar[] = [];
    for (const bar of bars) {
      const key = `${bar.y} ${bar.look}`;
      const last = open.get(key);
      if (last && bar.x <= last.end + 0.75 && (bar.end - bar.x < 2.5 || last.more > 0)) {
        last.end = Math.max(last.end, bar.end);
        last.more += 1;
        continue;
      }
      const next = { ...bar };
      open.set(key, next);
      merged.push(next);
    }
    return merged;
  };

  const lookOf = ({ kind, outcome }: Entry): string => {
    if (kind === "tool") return outcome ?? "ok";
    return kind === "model" && outcome !== "failed" ? (outcome === "ok" ? "model" : "unfinished") : "failed";
  };

  const layout = (run: Run, range: Range, width: number): Layout => {
    const scale = width / Math.max(1, range.to - range.from);
    const order = bandOrder(run);
    const bandOf = new Map(order.slice(0, bandsShown).map((agent, index) => [agent, index]));
    const rowEnds = [...bandOf].map(() => [] as number[]);
    const placed: { entry: Entry; index: number; row: number; band: number }[] = [];

    run.entries.forEach((entry, index) => {
      if (entry.kind !== "model" && entry.kind !== "tool" && entry.kind !== "error") return;
      const band = bandOf.get(entry.agent);
      const ends = band === undefined ? undefined : rowEnds[band];
      const end = entry.at + (entry.ms ?? 0);
      if (band === undefined || !ends || end < range.from || entry.at > range.to) return;
      let row = -1;
      if (entry.kind === "tool") {
        row = 0;
        while (row < toolRows - 1 && (ends[row] ?? -1) > entry.at) row += 1;
        ends[row] = end;
      }
      placed.push({ entry, index, row, band });
    });

    let height = axisHeight;
    const bands = order.slice(0, bandsShown).map((agent, index) => {
      const rows = Math.max(1, rowEnds[index]?.length ?? 1);
      const band = { agent, top: height, height: labelHeight + modelHeight + 5 + rows * (barHeight + 3) + 4 };
      height += band.height + 6;
      return band;
    });

    const bars = merge(
      placed.map(({ entry, index, row, band }) => {
        const x = Math.max(0, (entry.at - range.from) * scale);
        const top = (bands[band]?.top ?? 0) + labelHeight;
        return {
          x,
          end: Math.min(width, Math.max((entry.at + (entry.ms ?? 0) - range.from) * scale, x + 2)),
          y: row < 0 ? top : top + modelHeight + 5 + row * (barHeight + 3),
          height: row < 0 ? modelHeight : barHeight,
          look: lookOf(entry),
          entry: index,
          more: 0,
        };
      }),
    );
    // What went wrong is drawn last, on top.
    bars.sort((a, b) => looks.indexOf(a.look) - looks.indexOf(b.look));
    return { bands, bars, height, hiddenAgents: order.length - bands.length };
  };

  return { layout };
};
