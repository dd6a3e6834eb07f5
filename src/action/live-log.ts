/** What a person sees while the agent works: a line for each tool call, and a sign of life in long silences. */
import { followProgress, type ToolLine } from "../report/progress.ts";

export type LiveLog = {
  observe: (event: unknown) => void;
  /** Anything else that was said, so that the next sign of life is not due yet. */
  say: (line: string) => void;
  close: () => void;
};

const marks: Record<ToolLine["outcome"], string> = { done: "✓", failed: "✗", denied: "⛔" };

export const durationText = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
};

const toolText = ({ tool, subject, durationMs, outcome, why }: ToolLine): string => {
  const ending = outcome === "done" ? "" : `, ${outcome}${why === undefined ? "" : `: ${why}`}`;
  return `${marks[outcome]} ${[tool, subject].filter((part) => part !== "").join("  ")}  (${durationText(durationMs)}${ending})`;
};

export const startLiveLog = (say: (line: string) => void, silenceMs = 30_000): LiveLog => {
  const { observe, progress } = followProgress();
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const showLife = (): void => {
    const { doing, tools, denials } = progress();
    const counts = `${tools} tool calls so far${denials > 0 ? `, ${denials} denied` : ""}`;
    sayAndWait(`… ${durationText(performance.now() - startedAt)}: ${doing} (${counts})`);
  };

  const sayAndWait = (line: string): void => {
    say(line);
    clearTimeout(timer);
    timer = setTimeout(showLife, silenceMs);
  };

  timer = setTimeout(showLife, silenceMs);
  return {
    observe: (event) => {
      const line = observe(event);
      if (line !== undefined) sayAndWait(toolText(line));
    },
    say: sayAndWait,
    close: () => clearTimeout(timer),
  };
};
