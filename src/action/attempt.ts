/** Nothing that is told at the end may hide how the run ended: what fails is said and the rest goes on. */
import { messageOf } from "../errors.ts";
import type { WorkflowLog } from "./workflow-log.ts";

export const attempt = async <Value>(
  what: string,
  log: WorkflowLog,
  action: () => Value | Promise<Value>,
): Promise<Value | undefined> => {
  try {
    return await action();
  } catch (error) {
    log.annotate({ level: "warning", title: `${what} could not be written`, message: messageOf(error) });
    return undefined;
  }
};
