/** What a person sees who runs it in a terminal: a real one, made by the system, and drawn by xterm's emulator. */
import { setTimeout as delay } from "node:timers/promises";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandLine, type CommandLine } from "../support/command-line.ts";
import { projectRoot } from "../support/compiled.ts";
import { nodes } from "../support/nodes.ts";
import { startOnTerminal, type OnTerminal, type Size } from "../support/pseudo-terminal.ts";

let cli: CommandLine;
beforeEach(() => {
  cli = openCommandLine();
  mkdirSync(join(cli.folder, "tmp"));
  writeFileSync(join(cli.folder, "slow.yml"), script(join(cli.folder, "go")));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
  cli.remove();
});

const opened: OnTerminal[] = [];

/** The agent's command lasts until the file is there. */
const script = (file: string): string => `
name: A long wait
allow: [read, shell(sh wait.sh)]
files:
  a.txt: Hello.
  wait.sh: until [ -e "${file}" ]; do sleep 0.05; done
steps:
  - { tool: view, with: { path: a.txt }, usage: { input: 1200, output: 60 } }
  - { tool: bash, with: { command: git push 日本語の枝 }, usage: { input: 1300, output: 40 } }
  - { tool: bash, with: { command: sh wait.sh }, usage: { input: 1400, output: 50 } }
  - { say: The answer., usage: { input: 1500, output: 10 } }
`;
const letGo = (): void => writeFileSync(join(cli.folder, "go"), "");

const wide = { columns: 100, rows: 30 };

const commands: [string, string[]][] = [
  ["rehearse", ["rehearse", "slow.yml"]],
  ["run", ["run", "Wait.", "--rehearsal", "slow.yml", "-a", "read", "-a", "shell(sh wait.sh)"]],
];
const [, rehearse] = commands[0]!;

const start = (
  args: readonly string[],
  options: { size?: Size; environment?: Record<string, string>; stdout?: string; node?: string } = {},
): OnTerminal => {
  const { size = wide, environment = {}, stdout, node = process.execPath } = options;
  const terminal = startOnTerminal([node, join(projectRoot, "dist/cli.js"), ...args], {
    size,
    cwd: cli.folder,
    environment: {
      PATH: process.env.PATH,
      HOME: cli.folder,
      TERM: "xterm-256color",
      TMPDIR: join(cli.folder, "tmp"),
      XDG_STATE_HOME: join(cli.folder, "state"),
      ...environment,
    },
    ...(stdout !== undefined && { stdout }),
  });
  opened.push(terminal);
  return terminal;
};

const spinner = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /;
const statusOf = (screen: string[]): string | undefined => screen.at(-1)?.replace(spinner, "");
const waiting = (screen: string[]): boolean =>
  /^[^✓⊘]* wait\.sh · [\d.]+ s · 1 denied/.test(screen.at(-1) ?? "");
const spinners = (screen: string[]): number => screen.filter((line) => spinner.test(line)).length;

/** The colour of the first cell that shows the text, as its number in the terminal's palette. */
const colourOf = (terminal: OnTerminal, text: string): number | undefined => {
  const { active } = terminal.emulator.buffer;
  const row = terminal.screen().findIndex((line) => line.includes(text));
  const line = active.getLine(row);
  const column = line?.translateToString().indexOf(text) ?? -1;
  return line?.getCell(column)?.getFgColor();
};

describe.each(commands)("%s on a terminal", (_name, args) => {
  it("shows what the agent does now, how long, the denials and the tokens, then leaves the story", async () => {
    const terminal = start(args);
    await terminal.until((screen) => /tokens$/.test(screen.at(-1) ?? "") && waiting(screen));
    const screen = terminal.screen();
    expect(statusOf(screen)).toMatch(/^bash sh wait\.sh · [\d.]+ s · 1 denied · 4,050 tokens$/);
    expect(screen.join("\n")).toMatch(/^✓ view a\.txt {2}\d+ ms$/m);
    expect(screen.join("\n")).toMatch(/^⊘ bash git push 日本語の枝 {2}denied: No shell entry allows/m);
    expect(["✓", "⊘", "1 denied"].map((text) => colourOf(terminal, text))).toEqual([2, 3, 3]);
    letGo();
    expect(await terminal.ended).toBe(0);
    const end = terminal.screen();
    expect(spinners(end)).toBe(0);
    expect(end.join("\n")).toMatch(
      /✓ bash sh wait\.sh {2}\S+ \w+\n\nThe answer\.\n\n3 tool calls, 1 denied, 5,560 tokens, .*\nReport: file:/,
    );
    expect(end.join("\n")).not.toMatch(/�|\[\d+m/);
    // Back where a shell would write its prompt: at the start of a line, with lines that wrap.
    expect(terminal.emulator.buffer.active.cursorX).toBe(0);
    expect(terminal.emulator.modes.wraparoundMode).toBe(true);
  });

  it("keeps to one line in a narrow terminal, and when the terminal changes its size", async () => {
    const terminal = start(args, { size: { columns: 40, rows: 30 } });
    await terminal.until(waiting);
    expect(statusOf(terminal.screen())).toMatch(/^bash sh wait\.sh · [\d.]+ s · 1 denied$/);
    for (const columns of [100, 24, 60, 12, 40]) {
      terminal.resize({ columns, rows: 30 });
      const seen = terminal.bytes().length;
      // Two whole pictures later, whatever was on its way when the size changed is gone.
      await terminal.until(() => terminal.bytes().slice(seen).split("\r\u001b[J").length > 3);
      const screen = terminal.screen();
      expect({ columns, spinners: spinners(screen), last: spinner.test(screen.at(-1) ?? "") }).toEqual({
        columns,
        spinners: 1,
        last: true,
      });
      expect(screen.at(-1)!.length).toBeLessThan(columns);
    }
    letGo();
    expect(await terminal.ended).toBe(0);
    const story = terminal.screen().join("");
    expect(story.match(/wait\.sh/g)).toHaveLength(1);
    expect(spinners(terminal.screen())).toBe(0);
  });

  it("ends on Ctrl-C with 130 and leaves no process behind", async () => {
    const terminal = start(args);
    await terminal.until(waiting);
    const processes = terminal.processes();
    // The command line, the runtime, the driver, the agent's shell and what it runs.
    expect(processes.length).toBeGreaterThanOrEqual(4);
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(130);
    const screen = terminal.screen().join("\n");
    expect(screen).toMatch(/^Failed \(cancelled\): Cancelled by SIGINT\.$/m);
    expect(spinners(terminal.screen())).toBe(0);
    // Killed already, but the system may still be clearing the last away.
    while (processes.some((pid) => existsSync(`/proc/${pid}`))) await delay(20);
  });

  it("sends the answer alone where stdout leads, and still shows the live line", async () => {
    const stdout = join(cli.folder, "answer.md");
    const terminal = start(args, { stdout });
    await terminal.until(waiting);
    letGo();
    expect(await terminal.ended).toBe(0);
    expect(readFileSync(stdout, "utf8")).toBe("The answer.\n");
    expect(terminal.screen().join("\n")).not.toContain("The answer.");
  });
});

it.each(nodes)("draws without colours where NO_COLOR is set, on %s", async (_, node) => {
  const terminal = start(rehearse, { environment: { NO_COLOR: "1" }, node });
  await terminal.until(waiting);
  letGo();
  expect(await terminal.ended).toBe(0);
  expect(terminal.bytes()).not.toMatch(/\u001b\[[\d;]*m/);
  expect(terminal.screen().join("\n")).toContain("✓ bash sh wait.sh");
});

it("writes plain lines to a terminal that can nothing else", async () => {
  const terminal = start(rehearse, { environment: { TERM: "dumb" } });
  letGo();
  expect(await terminal.ended).toBe(0);
  expect(terminal.bytes()).not.toContain("\u001b");
  expect(terminal.screen().join("\n")).toContain("✓ bash sh wait.sh");
});
