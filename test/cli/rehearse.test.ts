import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodes } from "../support/nodes.ts";
import { projectRoot } from "../support/compiled.ts";

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "cli-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Ended = { code: number; stdout: string; stderr: string };

const rehearse = (args: string[], node = process.execPath): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state") };
    execFile(
      node,
      [join(projectRoot, "dist/cli.js"), "rehearse", ...args],
      { env, cwd: folder },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const script = (text: string): string => {
  const file = join(folder, "script.yml");
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
  const { code, stdout, stderr } = await rehearse([], node);
  expect(stderr).toMatch(/✓ view greet\.js/);
  expect(stderr).toMatch(/✓ edit greet\.js/);
  expect(stderr).toMatch(/✓ bash node check\.js/);
  expect(stderr).toMatch(/⊘ bash git push origin main {2}denied: No shell entry allows/);
  expect(stderr).toContain("All 6 expectations met");
  expect(stdout).toMatch(/^The greeting had a typing error/);
  expect(code).toBe(0);
});

it("keeps what happened: the event log and the result", () => {
  const kept = readdirSync(join(folder, "state/copilot-driver/runs"), { recursive: true }).map(String);
  expect(kept.some((name) => name.endsWith("events.jsonl"))).toBe(true);
  expect(kept.some((name) => name.endsWith("result.json"))).toBe(true);
});

it("exits with 0 when a repository's policy test holds, and prints everything as JSON", async () => {
  const { code, stdout } = await rehearse([script(policyTest), "--json"]);
  expect(code).toBe(0);
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
  const { code, stderr } = await rehearse([script(policyTest), "--allow", "shell"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/1 of 3 expectations not met/);
  expect(stderr).toMatch(/^- step 2 +bash +denied$/m);
  expect(stderr).toMatch(/^\+ step 2 +bash +approved/m);
});

it("refuses a bad script with line and column, and an option with what was probably meant", async () => {
  const bad = await rehearse([script("steps:\n  - { tol: bash }\n")]);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toMatch(/script\.yml:2:\d+/);
  const option = await rehearse(["--jsn"]);
  expect(option.code).toBe(2);
  expect(option.stderr).toContain("--json");
  expect((await rehearse([join(folder, "nowhere.yml")])).stderr).toContain("nowhere.yml");
});

it("explains itself", async () => {
  const { code, stdout } = await rehearse(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Examples:/);
});
