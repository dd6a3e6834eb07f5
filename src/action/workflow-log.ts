/** The step's log. The runner obeys lines that look like commands, so foreign text never reaches it as it is. */
import { cutMiddle, oneLine } from "../report/cut.ts";

export type Annotation = { level: "notice" | "warning" | "error"; title: string; message: string };

export type WorkflowLog = {
  /** One line, whatever the text. */
  say: (text: string) => void;
  group: (title: string) => void;
  endGroup: () => void;
  mask: (secret: string) => void;
  annotate: (annotation: Annotation) => void;
  /** Many lines of foreign text, as they are. */
  quote: (text: string) => void;
};

/** The runner reads a command at the start of a line, and its older form anywhere in it. */
const harmless = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .replaceAll("##[", "## [")
    .replace(/^(?=[\s\p{Z}\p{C}]*::)/u, "· ");

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** What the page of a run still shows. */
const longestTitle = 250;
const longestMessage = 4_000;

export const createWorkflowLog = (write: (text: string) => void): WorkflowLog => {
  const line = (text: string): void => write(`${text}\n`);
  return {
    say: (text) => line(harmless(text)),
    group: (title) => line(`::group::${escapeData(harmless(title))}`),
    endGroup: () => line("::endgroup::"),
    mask: (secret) => {
      for (const part of secret.split(/\r?\n/).filter((text) => text.trim() !== ""))
        line(`::add-mask::${escapeData(part)}`);
    },
    annotate: ({ level, title, message }) =>
      line(
        `::${level} title=${escapeProperty(oneLine(harmless(title), longestTitle))}::${escapeData(cutMiddle(message, longestMessage))}`,
      ),
    quote: (text) => {
      const token = crypto.randomUUID();
      write(`::stop-commands::${token}\n${text.replace(/\n*$/, "\n")}::${token}::\n`);
    },
  };
};
