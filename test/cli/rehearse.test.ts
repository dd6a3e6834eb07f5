import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandLine, type CommandLine } from "../support/command-line.ts";
import { nodes } from "../support/nodes.ts";

let cli: CommandLine;
beforeAll(() => void (cli = openCommandLine()));
afterAll(() => cli.remove());

const rehearse = (args: string[], node?: string) => cli.run(["rehearse", ...args], node ? { node } : {});

const script = (text: string): string => {
  const file = join(cli.folder, "script.yml");
  writeFileSync(file, text);
  return file;
};

const policyTest = `
allow: [read, "shell(echo)"]
steps:
  - { tool: bash, with: { command: echo hello }, expect: approved }
  - { tool: bash, with: { command: "git push" }, expect: denied }
  - say: Finished.
exitCode: 0
`;

it.each(nodes)("plays the built-in script on %s: reads, edits, runs, is denied, answers", async (_, node) => {
  const { status, stdout, stderr } = await rehearse([], node);
  expect(stderr).toMatch(/✓ view greet\.js/);
  expect(stderr).toMatch(/✓ edit greet\.js/);
  expect(stderr).toMatch(/✓ bash node check\.js/);
  expect(stderr).toMatch(/⊘ bash git push origin main {2}denied: No shell entry allows/);
  expect(stderr).toContain("All 6 expectations met");
  expect(stdout).toMatch(/^The greeting had a typing error/);
  expect(status).toBe(0);
});

it("keeps what happened: the event log and the result", () => {
  const kept = readdirSync(join(cli.folder, "state/copilot-driver/runs"), { recursive: true }).map(String);
  expect(kept.some((name) => name.endsWith("events.jsonl"))).toBe(true);
  expect(kept.some((name) => name.endsWith("result.json"))).toBe(true);
});

it("exits with 0 when a repository's policy test holds, and prints everything as JSON", async () => {
  const { status, stdout } = await rehearse([script(policyTest), "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    result: { exitCode: 0, output: "Finished.", denials: [{ summary: "git push" }] },
    expectations: [
      { expected: "approved", ok: true },
      { expected: "denied", ok: true },
      { expected: "0", ok: true },
    ],
  });
});

it("exits with 1 and shows a diff when a wider policy breaks an expectation", async () => {
  const { status, stderr } = await rehearse([script(policyTest), "--allow", "shell"]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/1 of 3 expectations not met/);
  expect(stderr).toMatch(/^- step 2 +bash +denied$/m);
  expect(stderr).toMatch(/^\+ step 2 +bash +approved/m);
});

it("refuses a bad script with line and column, and an option with what was probably meant", async () => {
  const bad = await rehearse([script("steps:\n  - { tol: bash }\n")]);
  expect(bad.status).toBe(2);
  expect(bad.stderr).toMatch(/script\.yml:2:\d+/);
  const option = await rehearse(["--jsn"]);
  expect(option.status).toBe(2);
  expect(option.stderr).toContain("--json");
  expect((await rehearse([join(cli.folder, "nowhere.yml")])).stderr).toContain("nowhere.yml");
});

it("explains itself", async () => {
  const { status, stdout } = await rehearse(["--help"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/Examples:/);
});
