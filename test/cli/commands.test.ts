/** Every command of the committed bundle, on each Node: what all have in common, and those without a file of their own. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import { openCommandLine, type CommandLine } from "../support/command-line.ts";
import { projectRoot } from "../support/compiled.ts";
import { nodes } from "../support/nodes.ts";
import { startOnTerminal } from "../support/pseudo-terminal.ts";

let cli: CommandLine;
let api: ScriptedApi;
let closeBash: (() => Promise<void>) | undefined;
beforeAll(async () => {
  cli = openCommandLine();
  api = await startScriptedApi({ turns: [{ text: "The answer." }] });
});
afterAll(async () => {
  await closeBash?.();
  await api.close();
  cli.remove();
});

const token = `github_pat_${"a1B2".repeat(10)}`;
const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  version: string;
};

describe.each(nodes)("on %s", (_, node) => {
  const run = (args: string[], environment: Record<string, string> = {}) =>
    cli.run(args, { node, environment });
  const commandNames = async (): Promise<string[]> =>
    [...(await run(["--help"])).stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = ""]) => name);

  it("tells its version, its commands and its exit codes", async () => {
    expect(await run(["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
    expect((await run(["--help"])).stdout).toMatch(/^Exit codes: 0 .* 1 .* 2 .* 3 .* 124 .* 128\+n/m);
    expect(await commandNames()).toEqual(expect.arrayContaining(["run", "rehearse", "explain", "doctor"]));
    expect(await run([])).toMatchObject({ status: 2, stdout: "" });
    for (const word of ["version", "-v"]) expect((await run([word])).stdout).toBe(`${version}\n`);
    expect((await run(["help"])).stdout).toBe((await run(["--help"])).stdout);
    expect((await run(["help", "lint"])).stdout).toBe((await run(["lint", "--help"])).stdout);
  });

  it("has help with an example for each command, and knows what a mistyped option means", async () => {
    const names = await commandNames();
    const texts = await Promise.all(names.map((name) => run([name, "--help"])));
    const typos = await Promise.all(names.map((name) => run([name, "--hepl"])));
    for (const [index, name] of names.entries()) {
      expect(texts[index]).toMatchObject({ status: 0, stderr: "" });
      expect(texts[index]?.stdout).toMatch(new RegExp(`^Usage: copilot-driver ${name}\\b`));
      expect(texts[index]?.stdout).toMatch(/^Exit codes: /m);
      expect(texts[index]?.stdout).toMatch(new RegExp(`^Examples?:\\n.*copilot-driver ${name}\\b`, "m"));
      expect(typos[index]).toMatchObject({ status: 2, stdout: "" });
      expect(typos[index]?.stderr).toMatch(/'--hepl'\. Did you mean --help\?\n$/);
    }
    expect((await run(["lint", "-h"])).stdout).toBe((await run(["lint", "--help"])).stdout);
  });

  it("knows what a mistyped command means", async () => {
    const { status, stderr } = await run(["rehaerse"]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "copilot-driver: Unknown command 'rehaerse'. Did you mean rehearse? See --help for all.\n",
    });
  });

  it("lints an allow list", async () => {
    const { status, stdout } = await run(["lint", "--allow", "Bash(git:*)"]);
    expect(status).toBe(1);
    expect(stdout).toContain("shell(git:*)");
    expect(await run(["lint", "--allow", "read"])).toMatchObject({ status: 0 });
  });

  it("looks at the machine", async () => {
    const { status, stdout } = await run(["doctor"], { COPILOT_GITHUB_TOKEN: token });
    expect(stdout).toMatch(/^ok +runtime: starts from/m);
    expect(stdout).not.toContain("\u001b");
    expect(status).toBe(0);
  });

  it("lists models, for people and for programs", async () => {
    const environment = { ...api.environment, COPILOT_GITHUB_TOKEN: token };
    expect((await run(["models"], environment)).stdout).toMatch(new RegExp(`^${api.model} +\\S`, "m"));
    const { status, stdout } = await run(["models", "--json"], environment);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([{ id: api.model, name: expect.any(String) as string }]),
    );
  });

  it("lists sessions", async () => {
    expect(await run(["sessions", "--json"])).toMatchObject({ status: 0, stdout: "[]\n" });
  });

  it("records", async () => {
    const script = join(cli.folder, "recorded.yml");
    const environment = { COPILOT_GITHUB_TOKEN: token, COPILOT_API_URL: api.url };
    const args = ["record", "Do it.", "-m", api.model, "-o", script, "--force"];
    expect(await run(args, environment)).toMatchObject({ status: 0, stdout: "The answer.\n" });
    expect(readFileSync(script, "utf8")).toContain("say: The answer.");
  });

  it("tests a driver for conformance", async () => {
    const driver = ["--", node, join(projectRoot, "dist/driver.js")];
    const { status, stdout, stderr } = await run(["conformance", "--only", "T-CSD-101", ...driver]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain("T-CSD-101");
  });
});

it("completes commands, options and files with blanks in a real bash", async () => {
  const bin = join(cli.folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "copilot-driver"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(projectRoot, "dist/cli.js")}" "$@"\n`,
  );
  chmodSync(join(bin, "copilot-driver"), 0o755);
  writeFileSync(join(cli.folder, "policy test.yml"), "");
  writeFileSync(join(cli.folder, "start"), 'source <(copilot-driver completion bash)\nPS1="> "\n');
  const bash = startOnTerminal(["bash", "--noprofile", "--rcfile", "start", "-i"], {
    size: { columns: 100, rows: 10 },
    cwd: cli.folder,
    environment: { PATH: `${bin}:${process.env.PATH}`, HOME: cli.folder, TERM: "xterm" },
  });
  closeBash = bash.close;
  const shows = (text: string) => bash.until((screen) => screen.at(-1)?.trimEnd() === text);
  await shows(">");
  bash.type("copilot-driver reh\t");
  await shows("> copilot-driver rehearse");
  bash.type("--verb\t");
  await shows("> copilot-driver rehearse --verbose");
  bash.type("pol\t");
  await shows("> copilot-driver rehearse --verbose policy\\ test.yml");
  bash.type("\u0015exit 0\r");
  expect(await bash.ended).toBe(0);
});
