import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../src/version.ts";
import { projectRoot } from "../support/compiled.ts";
import { nodes } from "../support/nodes.ts";

type Ended = { code: number | null; stdout: string; stderr: string };

const cli = (args: readonly string[], input = "", node = process.execPath): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(node, [join(projectRoot, "dist/cli.js"), ...args], { stdio: "pipe" });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input);
  });

const explainLines = async (input: string): Promise<Record<string, unknown>[]> => {
  const { stdout } = await cli(["explain", "--json"], input);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

const request = (fullCommandText: string) => ({ kind: "shell", fullCommandText });

describe("explain", () => {
  it.each(nodes)("tells a person what is denied and what would allow it (%s)", async (_name, node) => {
    const args = ["explain", "--allow", "shell(git:*)", "--", "git log | head"];
    expect(await cli(args, "", node)).toEqual({
      code: 0,
      stderr: "",
      stdout: [
        "denied (no-rule)",
        "  No shell entry allows `head`.",
        "  refused: head",
        "  would be allowed by: shell(head:*)",
        "  + git log  (shell(git:*))",
        "  - head",
        "",
      ].join("\n"),
    });
  });

  it("suggests the same entries as the suggest command, with their dangers", async () => {
    const { stdout } = await cli(["explain", "--allow", "read", "--", "git push > log.txt"]);
    expect(stdout.split("\n").slice(3)).toEqual([
      "  would be allowed by: shell(git push:*)",
      "    careful: `git` runs commands from its options, its configuration or the repository's hooks.",
      "  and: write(log.txt)",
      "",
    ]);
  });

  it("says that an exact text is never a part of another", async () => {
    const allow = ["--allow", "shell(npm test)", "--allow", "shell(git status)"];
    const { stdout } = await cli(["explain", ...allow, "--", "npm test && git status"]);
    expect(stdout.split("\n")).toEqual([
      "denied (no-rule)",
      "  No shell entry allows `npm test`: `shell(npm test)` matches only when it is the whole command; write `shell(npm test:*)`.",
      "  refused: npm test",
      "  nearest entry: shell(npm test)",
      "  would be allowed by: shell(npm test:*)",
      expect.stringMatching(/careful/),
      "  and: shell(git status:*)",
      expect.stringMatching(/careful/),
      "  - npm test",
      "  - git status",
      "",
    ]);
    const whole = await cli(["explain", "--allow", "shell(npm test | cat)", "--", "npm test | cat"]);
    expect(whole.stdout).toBe("approved (rule)\n  Approved by `shell(npm test | cat)`.\n");
  });

  it("suggests nothing for what is not valid Bash", async () => {
    const { stdout } = await cli(["explain", "--allow", "read", "--", "if git diff --quiet; then"]);
    expect(stdout).toMatch(/^denied \(parse-error\)\n {2}`if git diff --quiet; then` is not valid Bash/);
    expect(stdout).not.toContain("would be allowed by");
  });

  it("tells a person which entry approves", async () => {
    const { stdout } = await cli(["explain", "--allow", "shell(git:*)", "--", "git log -1"]);
    expect(stdout).toBe("approved (rule)\n  Approved by `shell(git:*)`.\n");
  });

  it("does not let a command drive the terminal", async () => {
    const { stdout } = await cli(["explain", "--allow", "shell(git)", "--", "git \u001b[2J\u0007"]);
    expect(stdout).toMatch(/^denied \(construct\)/);
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
  });

  it("answers JSON Lines in order and never stops at a bad line", async () => {
    const lines = [
      JSON.stringify({ id: "a", allowedTools: ["shell(git:*)"], request: request("git log") }),
      "not json",
      "",
      "null",
      JSON.stringify({ id: 2, allowedTools: ["shell(git:*)"], request: request("git log; evil") }),
      JSON.stringify({ id: 3, allowedTools: "shell", request: request("git log") }),
      JSON.stringify({ id: 4, allowedTools: [], request: request("git log") }),
      JSON.stringify({ id: 5, allowAllTools: true, request: null }),
      JSON.stringify({ id: 6, allowAllTools: "true", request: request("ls") }),
      JSON.stringify({
        id: 7,
        allowedTools: ["read(src/*)"],
        workspace: "/w",
        request: { kind: "read", path: "/w/src/a" },
      }),
      `{"id":8,"allowedTools":["shell(echo)"],"request":{"kind":"shell","fullCommandText":"echo \u2028"}}`,
      JSON.stringify({ id: 9, allowedTools: ["shell(echo)"] }),
    ];
    expect(await explainLines(lines.join("\n"))).toEqual([
      { id: "a", decision: "approve", reason: "rule", rule: "shell(git:*)" },
      { id: null, decision: "deny", reason: "malformed-request" },
      { id: null, decision: "deny", reason: "malformed-request" },
      { id: null, decision: "deny", reason: "malformed-request" },
      { id: 2, decision: "deny", reason: "no-rule", part: "evil" },
      { id: 3, decision: "deny", reason: "malformed-request" },
      { id: 4, decision: "default", reason: "no-policy" },
      { id: 5, decision: "approve", reason: "allow-all" },
      { id: 6, decision: "deny", reason: "malformed-request" },
      { id: 7, decision: "approve", reason: "rule", rule: "read(src/*)" },
      { id: 8, decision: "deny", reason: "construct", part: expect.any(String) as string },
      { id: 9, decision: "deny", reason: "malformed-request" },
    ]);
  });

  it("answers thousands of lines that arrive torn", async () => {
    const count = 5000;
    const input = Array.from({ length: count }, (_, id) =>
      JSON.stringify({ id, allowedTools: ["shell(git:*)"], request: request(id % 2 ? "git log" : "ls été") }),
    ).join("\n");
    const answers = await explainLines(input);
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => id));
    expect(answers.filter(({ decision }) => decision === "approve")).toHaveLength(count / 2);
  });

  it.each([[["explain"]], [["explain", "--", "git", "log"]], [["explain", "--allow"]]])(
    "refuses %j with exit code 2",
    async (args) => {
      const { code, stdout, stderr } = await cli(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^copilot-driver explain: .+\n$/);
    },
  );
});

describe("lint", () => {
  it("prints what is odd and fails if an entry does not do what it says", async () => {
    const { code, stdout } = await cli([
      "lint",
      "--allow",
      "Bash(git:*)",
      "--allow",
      "shell(:*)",
      "--allow",
      "shell(find)",
    ]);
    expect(code).toBe(1);
    expect(stdout.split("\n").map((line) => line.split(":")[0])).toEqual([
      "other-dialect",
      "matches-nothing",
      "runs-any-program",
      "",
    ]);
    expect(stdout).toContain("Perhaps `shell(git:*)`?");
  });

  it("succeeds if nothing is odd, or an entry only grants a lot", async () => {
    expect(await cli(["lint", "--allow", "read"])).toMatchObject({
      code: 0,
      stdout: "Nothing odd about 1 entry.\n",
    });
    expect(await cli(["lint", "--allow", "shell(git:*)"])).toMatchObject({ code: 0 });
  });

  it("prints the same as JSON Lines", async () => {
    const { stdout } = await cli(["lint", "--json", "--allow", "shell(:*)"]);
    expect(JSON.parse(stdout)).toMatchObject({ entry: "shell(:*)", code: "matches-nothing" });
  });
});

describe("the command line", () => {
  it("says its version and its commands", async () => {
    const { version: packaged } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
      version: string;
    };
    expect(version).toBe(packaged);
    expect(await cli(["--version"])).toEqual({ code: 0, stdout: `${packaged}\n`, stderr: "" });
    const { code, stdout } = await cli(["--help"]);
    expect(code).toBe(0);
    for (const command of ["explain", "lint"]) expect(stdout).toContain(`  ${command} `);
    for (const command of ["explain", "lint"])
      expect((await cli([command, "--help"])).stdout).toMatch(
        new RegExp(`^Usage: copilot-driver ${command}`),
      );
  });

  it.each([
    [["explian"], "Did you mean explain?"],
    [["--hlp"], "Did you mean --help?"],
    [["lint", "--alow", "x"], "Did you mean --allow?"],
    [["constructor"], "Unknown command 'constructor'."],
    [[], "Usage:"],
  ])("answers %j with exit code 2 and a hint", async (args, hint) => {
    const { code, stdout, stderr } = await cli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });
});
