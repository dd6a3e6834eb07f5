/** Events of the session as a whole: how it began, what went wrong, how it ended. Unknown types are shown as they are. */
import { oneLine } from "./cut.ts";
import { fieldsOf, numberOf, textOf, type Fields, type LogEvent } from "./reading.ts";
import type { Handlers, Story } from "./story.ts";
import { jsonText, section, withoutWorkspace } from "./tool-sections.ts";

const notices = new Set([
  "session.warning",
  "session.info",
  "session.compaction_complete",
  "session.truncation",
]);

export const watchSession = (story: Story): { handlers: Handlers; other: Handlers[string] } => {
  const { facts, add } = story;

  const other = (event: LogEvent, data: Fields): void => {
    const text = textOf(data.message) ?? textOf(data.content) ?? textOf(data.newModel) ?? "";
    add(event, {
      kind: notices.has(event.type) ? "notice" : "event",
      name: event.type,
      title: oneLine(withoutWorkspace(text.slice(0, 2000), facts.workspace), 240),
      sections: [section("Data", "json", jsonText(data))],
    });
  };

  const problem = (event: LogEvent, data: Fields, name: string, message: string): void => {
    const sections = [section("Message", "text", message), section("Details", "json", jsonText(data))];
    add(event, { kind: "error", name, title: oneLine(message, 240), outcome: "failed", sections });
  };

  const handlers: Handlers = {
    "session.start": (event, data) => {
      facts.sessionId = textOf(data.sessionId);
      facts.model = textOf(data.selectedModel);
      facts.runtimeVersion = textOf(data.copilotVersion);
      facts.workspace = textOf(fieldsOf(data.context).cwd);
      other(event, data);
    },
    "session.error": (event, data) => {
      const message = textOf(data.message) ?? "The session reported an error.";
      const kind = textOf(data.errorType);
      facts.error = { message, kind };
      facts.answered = false;
      problem(event, data, kind ?? "session error", message);
    },
    "model.call_failure": (event, data) => {
      const status = numberOf(data.statusCode);
      const message = textOf(data.errorMessage) ?? textOf(data.failureKind) ?? "The model call failed.";
      problem(event, data, status === undefined ? "model call" : `model call ${status}`, message);
    },
    "session.shutdown": (event, data) => {
      facts.shutdown = data;
      other(event, data);
    },
    abort: (event, data) => {
      facts.aborted = true;
      add(event, { kind: "notice", name: "abort", title: textOf(data.reason) ?? "the work was aborted" });
    },
  };

  return { handlers, other };
};
