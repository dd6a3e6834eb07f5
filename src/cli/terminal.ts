/** Lines and, on a terminal, one line of status that is always the last. */
import { visible } from "./visible.ts";

export type Style = (text: string) => string;
export type Palette = { bold: Style; dim: Style; green: Style; red: Style; yellow: Style };

const paint =
  (code: number, enabled: boolean): Style =>
  (text) =>
    enabled ? `\u001b[${code}m${text}\u001b[0m` : text;

export const paletteFor = (enabled: boolean): Palette => ({
  bold: paint(1, enabled),
  dim: paint(2, enabled),
  green: paint(32, enabled),
  red: paint(31, enabled),
  yellow: paint(33, enabled),
});

export type Terminal = {
  palette: Palette;
  line: (text: string) => void;
  /** Shown until the next one, and only where somebody watches. */
  status: (text: string) => void;
  close: () => void;
};

const clearLine = "\r\u001b[K";

export const openTerminal = (stream: NodeJS.WriteStream, colours: boolean): Terminal => {
  const animated = stream.isTTY === true;
  let shown = "";
  const show = (text: string): void => {
    shown = text;
    if (animated) stream.write(clearLine + text);
  };
  return {
    palette: paletteFor(colours && animated),
    line: (text) => {
      stream.write(`${animated && shown ? clearLine : ""}${text}\n`);
      if (shown) show(shown);
    },
    status: (text) => show(text.slice(0, (stream.columns ?? 80) - 1)),
    close: () => {
      if (shown) show("");
    },
  };
};

/** To a file it goes as it is; on a screen it stands apart from the tool calls and cannot drive the terminal. */
export const answerText = ({ output, hasOutput }: { output: string; hasOutput: boolean }): string => {
  if (!hasOutput) return "";
  return process.stdout.isTTY ? `\n${visible(output.trim())}\n` : `${output.trimEnd()}\n`;
};
