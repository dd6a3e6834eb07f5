/** A run as a person sees it in a terminal: one line per tool call, and what happens right now. */
import type { HarnessObserver } from "../harness/settings.ts";
import { createLog, type LogLevel } from "../log.ts";
import { followProgress, type ToolLine } from "../report/progress.ts";
import { type Terminal } from "./terminal.ts";
import { visible } from "./visible.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const refreshMs = 100;

export const seconds = (ms: number): string =>
  ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;

export const describeTool = (
  { tool, subject, outcome, durationMs, why }: ToolLine,
  { palette }: Terminal,
): string => {
  const { green, red, yellow, dim, bold } = palette;
  const mark = { done: green("✓"), failed: red("✗"), denied: yellow("⊘") }[outcome];
  const ending = outcome === "done" ? dim(seconds(durationMs)) : `${outcome}${why ? `: ${why}` : ""}`;
  return visible(`${mark} ${bold(tool)} ${subject}`.trimEnd()) + `  ${visible(ending)}`;
};

export type Watch = { observer: HarnessObserver; close: () => void };

export const watchRun = (terminal: Terminal, logLevel: LogLevel): Watch => {
  const { dim, yellow } = terminal.palette;
  const startedAt = performance.now();
  const { observe, progress } = followProgress();
  let frame = 0;

  const refresh = (): void => {
    const { doing, tools, denials, outputTokens } = progress();
    const facts = [
      seconds(performance.now() - startedAt),
      `${tools} tool calls`,
      ...(denials > 0 ? [yellow(`${denials} denied`)] : []),
      ...(outputTokens > 0 ? [`${outputTokens} tokens out`] : []),
    ];
    terminal.status(`${frames[frame++ % frames.length]} ${visible(doing)} ${dim(`· ${facts.join(" · ")}`)}`);
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
        if (logLevel === "debug" || logLevel === "all") terminal.line(dim(visible(line)));
      },
      onEvent: (event) => {
        const line = observe(event);
        if (line) terminal.line(describeTool(line, terminal));
      },
    },
    close: () => {
      clearInterval(timer);
      terminal.close();
    },
  };
};
