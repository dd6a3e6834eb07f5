import { Failure } from "../../src/errors.ts";
import { parseRules, policyOf } from "../../src/policy/rules.ts";

const codesOf = (...entries: string[]): string[] => parseRules(entries).diagnostics.map(({ code }) => code);
const suggestionFor = (entry: string): string | undefined => parseRules([entry]).diagnostics[0]?.suggestion;

describe("entries of an allow list", () => {
  it("become typed rules", () => {
    const entries = [
      "read",
      "write(src/**)",
      "web_fetch(*.Example.com)",
      "shell",
      "shell(git)",
      "shell(git log:*)",
    ];
    expect(parseRules([...entries, "shell(a b)", "srv", "srv(tool)"]).rules).toEqual([
      { kind: "read", text: "read" },
      { kind: "write", text: "write(src/**)", glob: "src/**" },
      { kind: "web_fetch", text: "web_fetch(*.Example.com)", host: "*.example.com" },
      { kind: "shell", text: "shell" },
      { kind: "shell-words", text: "shell(git)", words: ["git"], exact: true },
      { kind: "shell-words", text: "shell(git log:*)", words: ["git", "log"], exact: false },
      { kind: "shell-text", text: "shell(a b)", command: "a b" },
      { kind: "server-or-tool", text: "srv", name: "srv" },
      { kind: "server-tool", text: "srv(tool)", server: "srv", tool: "tool" },
    ]);
  });

  it("are trimmed, and empty, foreign and repeated ones are dropped", () => {
    const { rules } = parseRules([
      " read ",
      "read",
      "",
      "  ",
      1,
      null,
      undefined,
      ["write"],
      { a: 1 },
      "read\n",
    ]);
    expect(rules).toEqual([{ kind: "read", text: "read" }]);
  });

  it.each([
    "shell()",
    "shell(:*)",
    "shell(*)",
    "shell( :* )",
    "shell(git:*",
    "shell)",
    "web_fetch(https://a/)",
    "srv()",
    "srv(*)",
    "(x)",
    "shell (git)",
    "read()",
    "a,b",
  ])("that can match nothing are reported: %s", (entry) => {
    expect(codesOf(entry)).toContain("matches-nothing");
  });

  it.each([
    ["shell(git*)", "shell(git:*)"],
    ["shell(git log*)", "shell(git log:*)"],
    ["shell(**)", undefined],
    ["shell(if:*)", undefined],
    ["shell([[:*)", undefined],
    ["write(src/**/*.{ts,tsx})", undefined],
    ["read(*.[jt]s)", undefined],
    ["read([a-z].ts)", undefined],
    ["read(~/x)", undefined],
    ["read($HOME/**)", undefined],
    ["write(src/**, test/**)", "write(src/**)"],
    ["web_fetch(localhost)", undefined],
    ["web_fetch(127.0.0.1)", undefined],
    ["web_fetch([::1]:80)", undefined],
    ["web_fetch(example.com:99999)", undefined],
    ["shell(git), shell(npm)", "shell(git)"],
    ["github:get_issue", "github(get_issue)"],
    ["github.*", "github"],
    ["*", undefined],
    ["shell:git", "shell(git)"],
    ["git status", "shell(git status)"],
    ["web_fetch(*example.com)", "web_fetch(*.example.com)"],
    ["web_fetch(*.*)", undefined],
    ["web_fetch(http://a.b:*)", "web_fetch(a.b)"],
    ["shell(git log:*):*", "shell(git log:*)"],
  ])("that look right and match nothing are reported, and never made wider: %s", (entry, suggestion) => {
    const { diagnostics } = parseRules([entry]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["matches-nothing"]);
    expect(diagnostics[0]?.suggestion).toBe(suggestion);
  });

  it("with a trailing star after a space are reported, with what was meant", () => {
    expect(suggestionFor("shell(git log *)")).toBe("shell(git log:*)");
    expect(suggestionFor("web_fetch(https://example.com/a)")).toBe("web_fetch(example.com)");
    expect(suggestionFor("shell(git):*")).toBe("shell(git:*)");
  });

  it.each([
    ["Bash(git:*)", "shell(git:*)"],
    ["Bash(npm run *)", "shell(npm run:*)"],
    ["Read", "read"],
    ["Edit(src/**)", "write(src/**)"],
    ["WebFetch(domain:example.com)", "web_fetch(example.com)"],
    ["mcp__github__get_issue", "github(get_issue)"],
    ["mcp__github__*", "github"],
    ["Shell(ls)", "shell(ls)"],
  ])("of another dialect are reported: %s is %s here", (entry, suggestion) => {
    expect(parseRules([entry]).diagnostics[0]).toMatchObject({ code: "other-dialect", suggestion });
  });

  it("that name a tool of the runtime are reported with the permission it asks for", () => {
    expect(parseRules(["bash", "view"]).diagnostics).toMatchObject([
      { code: "runtime-tool", suggestion: "shell" },
      { code: "runtime-tool", suggestion: "read" },
    ]);
  });

  it.each([
    "find",
    "sed",
    "awk",
    "xargs",
    "env",
    "git:*",
    "python3",
    "npm:*",
    "/usr/bin/env",
    "bash",
    "sudo",
    "eval",
    "npm run:*",
    "pnpm dlx:*",
    "bash -c:*",
    "python3 -c:*",
    "node -e:*",
    "sudo git:*",
    "timeout 60 env A=1 bash:*",
    "find . -name:*",
    "git -C:*",
    "docker run:*",
  ])("that grant the execution of any program are reported: shell(%s)", (rule) => {
    expect(codesOf(`shell(${rule})`)).toEqual(["runs-any-program"]);
  });

  it("that say what they mean are not reported", () => {
    const plain = [
      "read",
      "write",
      "web_fetch",
      "shell(ls)",
      "shell(git log:*)",
      "shell(git status)",
      "shell(npm run build:*)",
      "shell(python3 -m pytest:*)",
      "shell(sudo git log:*)",
      "shell(xargs rm:*)",
      "shell(ls src/*)",
      "shell(rm build*)",
      "read(app/[id]/page.tsx)",
      "read(pages/[...slug].tsx)",
      "web_fetch(metadata.example.com)",
      "my.server",
      "github",
      "github(get_issue)",
      "my_tool",
      "read(docs/**)",
      "web_fetch(example.com)",
      "shell",
    ];
    expect(parseRules(plain).diagnostics).toEqual([]);
  });
});

describe("the effective policy", () => {
  it.each([
    [undefined],
    [null],
    [{}],
    [{ allowedTools: [] }],
    [{ allowedTools: ["", " ", 7] }],
    [{ allowAllTools: false }],
  ])("is the runtime's own for %j", (config) => {
    expect(policyOf(config).policy).toEqual({ mode: "default" });
  });

  it("is to approve everything only for a plain true", () => {
    expect(policyOf({ allowAllTools: true, allowedTools: ["read"] }).policy).toEqual({ mode: "allow-all" });
  });

  it("denies everything if no entry can match, rather than widening to a default", () => {
    expect(policyOf({ allowedTools: ["shell(:*)"] }).policy).toEqual({ mode: "scoped", rules: [] });
  });

  it.each([
    ["read"],
    [[]],
    [true],
    [{ allowAllTools: "true" }],
    [{ allowAllTools: 1 }],
    [{ allowedTools: "read" }],
    [{ allowedTools: { 0: "read" } }],
  ])("is an error, and never a wider policy, for %j", (config) => {
    expect(() => policyOf(config)).toThrow(Failure);
  });
});
