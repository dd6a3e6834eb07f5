import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../support/compiled.ts";
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

const latestResult = () => {
  const runs = join(cli.folder, "state/copilot-driver/runs");
  const latest = readdirSync(runs).sort().at(-1) ?? "";
  return JSON.parse(readFileSync(join(runs, latest, "result.json"), "utf8")) as {
    expectations: { text: string; ok: boolean }[];
    allowedTools: string[];
  };
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

it("plays each example of the documentation as it says", async () => {
  const text = readFileSync(join(projectRoot, "docs/rehearsal.md"), "utf8");
  const examples = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, example = ""]) => example);
  expect(examples.length).toBeGreaterThan(3);
  const ends = await Promise.all(
    examples.map((example, index) => {
      const file = join(cli.folder, `example-${index}.yml`);
      writeFileSync(file, example);
      return rehearse([file, "--stall-timeout-minutes", "0.1"]);
    }),
  );
  for (const { status, stderr } of ends) {
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).toMatch(/expectations met|The expectation is met/);
  }
});

it("exits with 1 and shows a diff when a wider policy breaks an expectation", async () => {
  const { status, stderr } = await rehearse([script(policyTest), "--allow", "shell"]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/1 of 3 expectations not met/);
  expect(stderr).toMatch(/^- step 2 +bash git push +denied$/m);
  expect(stderr).toMatch(/^\+ step 2 +bash git push +approved/m);
  const { expectations } = latestResult();
  expect(expectations).toMatchObject([{ ok: true }, { ok: false }, { ok: true }]);
  expect(expectations[1]?.text).toBe("step 2  bash git push: expected denied, observed approved");
});

it("remembers the allow list, so that a suggestion does not repeat it", async () => {
  await rehearse([script(policyTest.replace('"shell(echo)"', '"shell(echo)", "shell(tail)"'))]);
  expect(latestResult().allowedTools).toEqual(["read", "shell(echo)", "shell(tail)"]);
  const denied = policyTest
    .replace("git push", "git push | tail -1")
    .replace('"shell(echo)"', '"shell(tail)"');
  await rehearse([script(denied)]);
  const { stdout } = await cli.run(["suggest"]);
  expect(stdout).toContain("shell(git push:*)");
  expect(stdout).not.toContain("shell(tail");
});

it("refuses entries that a run would refuse, in the script with line and column", async () => {
  const inScript = await rehearse([
    script('allow: [read,\n  "Bash(git:*)", "shell(ls"]\nsteps: [{ say: Hi. }]\n'),
  ]);
  expect(inScript.status).toBe(2);
  expect(inScript.stderr).toMatch(/script\.yml:2:3: .*Perhaps `shell\(git:\*\)`\?/);
  expect(inScript.stderr).toMatch(/script\.yml:2:18: .*`shell\(ls` can match nothing/);
  const given = await rehearse([script(policyTest), "--allow", "Bash(git:*)"]);
  expect(given.status).toBe(2);
  expect(given.stderr).toContain("--allow: `Bash(git:*)` looks like the entry of another tool");
});

it("takes an entry that looks like another tool's for a server of that name", async () => {
  const server = "mcpServers: { fetch: { command: node, args: [-e, process.exit()] } }\n";
  const { stderr } = await rehearse([script(`${server}allow: [fetch]\nsteps: [{ say: Hi. }]\n`)]);
  expect(stderr).not.toContain("looks like");
});

it("ends with 130 on Ctrl-C, whatever the script expects, and holds nobody to it", async () => {
  const file = script("steps: [{ hang: true }]\nexitCode: 124\n");
  const { status, stderr } = await cli.run(["rehearse", file, "--verbose"], {
    onStderr: (text, child) => {
      if (text.includes("sending the prompt")) child.kill("SIGINT");
    },
  });
  expect(status).toBe(130);
  expect(stderr).not.toContain("expectation");
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
