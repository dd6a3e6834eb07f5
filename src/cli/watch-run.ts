/** A run as a person sees it in a terminal: one line per tool call, and what happens right now. */
import type { HarnessObserver } from "../harness/settings.ts";
import { createLog, type LogLevel } from "../log.ts";
import { followProgress, type Progress, type ToolLine } from "../report/progress.ts";
import { createWords } from "../report/words.ts";
import { fit, widthOf } from "./columns.ts";
import type { Palette, Terminal } from "./terminal.ts";
import { visible } from "./visible.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const refreshMs = 100;
/** Below this, what the agent does says nothing any more. */
const leastForDoing = 16;

const { duration, amount, count } = createWords();

const describeTool = (
  { tool, subject, outcome, durationMs, why }: ToolLine,
  { green, red, yellow, dim, bold }: Palette,
): string => {
  const mark = { done: green("✓"), failed: red("✗"), denied: yellow("⊘") }[outcome];
  const ending =
    outcome === "done" ? dim(duration(durationMs)) : visible(`${outcome}${why ? `: ${why}` : ""}`);
  return `${mark} ${`${bold(visible(tool))} ${visible(subject)}`.trimEnd()}  ${ending}`;
};

type Fact = { text: string; style: keyof Palette };

const factsOf = ({ denials, tokens }: Progress, elapsedMs: number): Fact[] => [
  { text: elapsedMs < 60_000 ? `${(elapsedMs / 1000).toFixed(1)} s` : duration(elapsedMs), style: "dim" },
  ...(denials > 0 ? [{ text: `${amount(denials)} denied`, style: "yellow" } as const] : []),
  ...(tokens > 0 ? [{ text: count(tokens, "token"), style: "dim" } as const] : []),
];

/** What the agent does, and as many facts as leave room for it. */
const statusLine = (
  { frame, progress, elapsedMs }: { frame: number; progress: Progress; elapsedMs: number },
  columns: number,
  palette: Palette,
): string => {
  const doing = visible(progress.doing);
  const facts = factsOf(progress, elapsedMs);
  const room = (): number =>
    columns - 2 - facts.reduce((sum, { text }) => sum + " · ".length + widthOf(text), 0);
  while (facts.length > 1 && room() < Math.min(leastForDoing, widthOf(doing))) facts.pop();
  const shown = facts.map(({ text, style }) => palette.dim(" · ") + palette[style](text)).join("");
  return `${frames[frame % frames.length]} ${fit(doing, room())}${shown}`;
};

export type Watch = { observer: HarnessObserver; close: () => void };

export const watchRun = (terminal: Terminal, logLevel: LogLevel): Watch => {
  const { palette } = terminal;
  const startedAt = performance.now();
  const { observe, progress } = followProgress();
  let frame = 0;

  const refresh = (): void => {
    const now = { frame: frame++, progress: progress(), elapsedMs: performance.now() - startedAt };
    terminal.status((columns) => statusLine(now, columns, palette));
  };
  const timer = setInterval(refresh, refreshMs);
  refresh();

  return {
    observer: {
      log: createLog({
        prefix: "copilot-driver",
        level: logLevel,
        write: (line) => terminal.line(visible(line.trimEnd())),
      }),
      mask: () => {},
      onDriverLine: (line) => {
        if (logLevel === "debug" || logLevel === "all") terminal.line(palette.dim(visible(line)));
      },
      onEvent: (event) => {
        const line = observe(event);
        if (line) terminal.line(describeTool(line, palette));
      },
    },
    close: () => {
      clearInterval(timer);
      terminal.close();
    },
  };
};
