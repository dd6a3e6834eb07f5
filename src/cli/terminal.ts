/** Lines and, on a terminal, one line of status that is always the last. */
import type { Surroundings } from "../settings/command-line.ts";
import { visible } from "./visible.ts";

export type Style = (text: string) => string;
export type Palette = { bold: Style; dim: Style; green: Style; red: Style; yellow: Style };

const paint =
  (code: number, enabled: boolean): Style =>
  (text) =>
    enabled ? `\u001b[${code}m${text}\u001b[0m` : text;

const paletteFor = (enabled: boolean): Palette => ({
  bold: paint(1, enabled),
  dim: paint(2, enabled),
  green: paint(32, enabled),
  red: paint(31, enabled),
  yellow: paint(33, enabled),
});

export type Terminal = {
  palette: Palette;
  line: (text: string) => void;
  /** Shown until the next one, and only where somebody watches; made anew for the width of the moment. */
  status: (make: (columns: number) => string) => void;
  close: () => void;
};

const usualColumns = 80;

/** The cursor waits where the status begins: when the terminal wraps the line anew, that is still where to clear from. */
const clear = "\r\u001b[J";
/** Should a character be wider than we think, the terminal cuts the line instead of breaking it. */
const withoutBreak = (text: string): string => `\u001b[?7l${text}\u001b[?7h\r`;

export const openTerminal = (
  stream: NodeJS.WriteStream,
  { colours, animations }: Pick<Surroundings, "colours" | "animations">,
): Terminal => {
  const watched = stream.isTTY === true;
  let status: ((columns: number) => string) | undefined;
  const draw = (): string =>
    status === undefined ? "" : clear + withoutBreak(status((stream.columns || usualColumns) - 1));
  return {
    palette: paletteFor(colours && watched),
    line: (text) => {
      stream.write(`${status === undefined ? "" : clear}${text}\n${draw()}`);
    },
    status: (make) => {
      if (!watched || !animations) return;
      status = make;
      stream.write(draw());
    },
    close: () => {
      if (status !== undefined) stream.write(clear);
      status = undefined;
    },
  };
};

/** To a file it goes as it is; on a screen it stands apart from the tool calls and cannot drive the terminal. */
export const answerText = ({ output, hasOutput }: { output: string; hasOutput: boolean }): string => {
  if (!hasOutput) return "";
  return process.stdout.isTTY ? `\n${visible(output.trim())}\n` : `${output.trimEnd()}\n`;
};
