/** A recorded run, read from its event log line by line, whatever its size. */
import { createReadStream } from "node:fs";
import { linesOf } from "../lines.ts";
import type { Policy } from "../policy/rules.ts";
import type { Run } from "./model.ts";
import { startTimeline } from "./timeline.ts";

export const readRun = async (
  name: string,
  eventsFile: string | undefined,
  result: unknown,
  policy: Policy | undefined,
): Promise<Run> => {
  const timeline = startTimeline(name, policy && { policy });
  if (eventsFile !== undefined)
    for await (const line of linesOf(createReadStream(eventsFile))) timeline.addLine(line);
  return timeline.finish(result);
};
