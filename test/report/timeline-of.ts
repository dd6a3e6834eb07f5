import type { Run } from "../../src/report/model.ts";
import { startTimeline } from "../../src/report/timeline.ts";

/** A whole log at once. */
export const timelineOf = (text: string, name: string, result?: unknown): Run => {
  const builder = startTimeline(name);
  for (const line of text.split("\n")) builder.addLine(line);
  return builder.finish(result);
};
