/** A run as a Mermaid picture, small enough for every viewer. */
import type { Entry, Run } from "./model.ts";

const tasksShown = 60;

/** Only letters, digits and a few signs: anything else could end the label or begin a statement. */
const label = (text: string): string =>
  text
    .slice(0, 200)
    .replace(/[^\p{L}\p{N} _./-]/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 42)
    .trim();

const isBad = ({ outcome }: Entry): boolean =>
  outcome === "denied" || outcome === "failed" || outcome === "exit";

const stateOf = (entry: Entry): string => {
  if (isBad(entry)) return "crit, ";
  if (entry.outcome === "unfinished") return "";
  return entry.kind === "model" ? "done, " : "active, ";
};

/** What went wrong and what took longest, in the order of the run. */
const chosen = (run: Run): Entry[] => {
  const all = run.entries.filter(({ kind }) => kind === "model" || kind === "tool");
  if (all.length <= tasksShown) return all;
  const bad = all.filter(isBad).slice(0, tasksShown / 2);
  const taken = new Set(bad);
  const longest = all
    .filter((entry) => !taken.has(entry))
    .sort((a, b) => (b.ms ?? 0) - (a.ms ?? 0))
    .slice(0, tasksShown - bad.length);
  for (const entry of longest) taken.add(entry);
  return all.filter((entry) => taken.has(entry));
};

/** The picture, and how many entries it leaves out; nothing when there is nothing to draw. */
export const mermaidOf = (run: Run): { picture: string; left: number } | undefined => {
  const entries = chosen(run);
  if (entries.length === 0) return undefined;
  const start = Date.parse(run.startedAt ?? "") || 0;
  const end = entries.reduce((latest, { at, ms = 0 }) => Math.max(latest, at + ms), 1);
  const thinnest = Math.max(1, Math.ceil(end / 250));
  const sectionOf = ({ agent, turn }: Entry): string =>
    `${agent === 0 ? "" : `${label(run.agents[agent]?.name ?? "") || "sub-agent"} `}turn ${Number(turn) + 1 || 1}`;
  const lines = entries.map((entry, index) => {
    const { kind, name, title, at, ms = 0, outcome, note } = entry;
    const words = kind === "model" ? "model" : label(`${name} ${title}`) || "tool";
    const isPlain = outcome === undefined || outcome === "ok" || outcome === "exit";
    const ending = isPlain ? (note ? ` (${label(note)})` : "") : ` (${outcome})`;
    const from = start + Math.round(at);
    const task = `    ▸ ${words}${ending} :${stateOf(entry)}${from}, ${from + Math.max(thinnest, Math.round(ms))}`;
    const previous = entries[index - 1];
    const section = sectionOf(entry);
    return previous && sectionOf(previous) === section ? task : `  section ${section}\n${task}`;
  });
  const total = run.entries.filter(({ kind }) => kind === "model" || kind === "tool").length;
  const head = ["gantt", "  dateFormat x", "  axisFormat %H:%M:%S", "  todayMarker off"];
  return { picture: [...head, ...lines].join("\n"), left: total - entries.length };
};
