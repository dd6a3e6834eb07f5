// What a terminal shows of a rehearsal, as a page to be photographed: the screen of a real pseudo-terminal, cell by cell.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type xterm from "@xterm/headless";
import { startOnTerminal } from "../test/support/pseudo-terminal.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const size = { columns: 110, rows: 30 };
const colours: Readonly<Record<number, string>> = { 1: "#ff7b72", 2: "#7ee787", 3: "#e3b341" };

/** Signs that the font lacks come from another one, and must still keep to their cell. */
const escaped = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/[✓✗⊘]/g, "<i>$&</i>");

const styleOf = (cell: xterm.IBufferCell): string =>
  [
    cell.isFgPalette() ? `color:${colours[cell.getFgColor()]}` : "",
    cell.isBold() ? "font-weight:700" : "",
    cell.isDim() ? "opacity:.6" : "",
  ]
    .filter(Boolean)
    .join(";");

const rowOf = (line: xterm.IBufferLine): string => {
  let [html, style, text] = ["", "", ""];
  const flush = (): void => {
    html += text && `<span style="${style}">${escaped(text)}</span>`;
    text = "";
  };
  for (let column = 0; column < line.length; column += 1) {
    const cell = line.getCell(column);
    if (!cell) continue;
    if (styleOf(cell) !== style) flush();
    style = styleOf(cell);
    text += cell.getChars() || " ";
  }
  flush();
  return html;
};

const look = `
html { background: #0d1117; }
body { margin: 0; color: #e6edf3; font: 14px/20px "JetBrains Mono", monospace; }
pre { margin: 0; padding: 20px 24px; font: inherit; width: max-content; }
i { display: inline-block; width: 8.4px; font: 9px/12px Inter; }
`;

export const terminalPage = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "terminal-"));
  const state = join(folder, "state");
  const command = 'echo "$ node dist/cli.js rehearse"; exec "$0" dist/cli.js rehearse';
  const { PATH } = process.env;
  const terminal = startOnTerminal(["/bin/sh", "-c", command, process.execPath], {
    size,
    cwd: root,
    environment: { PATH, HOME: folder, XDG_STATE_HOME: state, TERM: "xterm-256color" },
  });
  try {
    const code = await terminal.ended;
    if (code !== 0) throw new Error(`The rehearsal ended with ${code}:\n${terminal.screen().join("\n")}`);
    const { active } = terminal.emulator.buffer;
    const rows = terminal.screen().map((_, index) => rowOf(active.getLine(index)!));
    const text = rows.join("\n").replaceAll(state, "/home/you/.local/state");
    return `<!doctype html><meta charset="utf-8"><style>${look}</style><pre>${text}</pre>`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
