/** `report`, `judge` and `suggest` as people start them: the committed bundle, on each Node. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sampleRun } from "../report/sample-run.ts";
import { launchChromium } from "../support/chromium.ts";
import { projectRoot } from "../support/compiled.ts";
import { nodes } from "../support/nodes.ts";

const { log, result } = sampleRun();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recorded-"));
  mkdirSync(join(folder, "api"));
  writeFileSync(join(folder, "api", "events.jsonl"), log);
  writeFileSync(join(folder, "api", "result.json"), JSON.stringify(result));
  writeFileSync(join(folder, "alone.jsonl"), log);
  writeFileSync(join(folder, "failed.html"), "<!doctype html>\n");
  mkdirSync(join(folder, "empty"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cli = (node: string, ...args: string[]) =>
  spawnSync(node, [join(projectRoot, "dist/cli.js"), ...args], {
    cwd: folder,
    env: { ...process.env, XDG_STATE_HOME: join(folder, "state") },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });

describe.each(nodes)("recorded runs on the command line (%s)", (_name, node) => {
  it("writes the page where it is told to", () => {
    const { status, stdout, stderr } = cli(node, "report", "alone.jsonl", "-o", "out.html");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "Wrote out.html\n" });
    expect(readFileSync(join(folder, "out.html"), "utf8")).toMatch(/^<!doctype html>/);
  });

  it("writes the page to standard output when that is no terminal", () => {
    expect(cli(node, "report", "alone.jsonl").stdout).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(existsSync(join(folder, "report.html"))).toBe(false);
  });

  it("takes a folder for its log, with the result beside it", () => {
    expect(cli(node, "report", "api", "--md").stdout).toMatch(/^## ✅ Completed after 36 s\n/);
  });

  it("finds the log below the folder of a session", () => {
    mkdirSync(join(folder, "nested", "events", "0a1b"), { recursive: true });
    writeFileSync(join(folder, "nested", "events", "0a1b", "events.jsonl"), log);
    writeFileSync(
      join(folder, "nested", "result.json"),
      JSON.stringify({ exitCode: 3, outcome: "denied", durationMs: 5000 }),
    );
    expect(cli(node, "report", "nested", "--md").stdout).toMatch(/^## ⛔ Denied after 5\.0 s\n/);
  });

  it("puts several runs into one report", () => {
    const { stdout } = cli(node, "report", "api", "alone.jsonl", "--md");
    expect(stdout).toMatch(/^## 2 runs\n/);
    expect(stdout).toMatch(/<code>api<\/code>[^]*<code>alone.jsonl<\/code>/);
  });

  it("takes a result that is given", () => {
    writeFileSync(
      join(folder, "failed.json"),
      JSON.stringify({ exitCode: 1, outcome: "timed-out", durationMs: 60_000 }),
    );
    expect(cli(node, "report", "alone.jsonl", "--result", "failed.json", "--md").stdout).toMatch(
      /^## ⏱️ Timed out after 1 min 0 s/,
    );
  });

  it.each([
    [["report"], /There is no run in \S+state\S+ yet: give an event log/],
    [["report", "nowhere.jsonl"], /Cannot read nowhere\.jsonl \(ENOENT/],
    [["report", "empty"], /There is no events\.jsonl in empty/],
    [["report", "alone.jsonl", "--result", "alone.jsonl"], /Cannot read the result alone\.jsonl/],
    [["report", "alone.jsonl", "-o", "no/such/folder/x.html"], /Cannot write no\/such\/folder\/x\.html/],
    [["report", "alone.jsonl", "--reslut", "x"], /Did you mean --result\?/],
    [["judge", "alone.jsonl"], /Give the allow list to judge by/],
    ...["report", "suggest", "judge"].map(
      (command) =>
        [[command, "failed.html", "--allow", "read"], /failed\.html is not an event log/] as [
          string[],
          RegExp,
        ],
    ),
    [["judge", "alone.jsonl", "api", "--allow", "read"], /Give one event log/],
  ])("refuses %j and says why", (args, message) => {
    const { status, stdout, stderr } = cli(node, ...args);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it("takes a result for the log beside it", () => {
    expect(cli(node, "suggest", "api/result.json").stdout).toBe(cli(node, "suggest", "api").stdout);
  });

  it("passes over folders without a log where others have one", () => {
    const { status, stdout, stderr } = cli(node, "report", "empty", "api", "--md");
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "Passed over: There is no events.jsonl in empty.\n",
    });
    expect(stdout).toBe(cli(node, "report", "api", "--md").stdout);
  });

  it("takes the latest run that left a log, not one that failed before", () => {
    const runs = join(folder, "later", "copilot-driver", "runs");
    for (const name of ["2026-01-01", "2026-01-02"]) mkdirSync(join(runs, name), { recursive: true });
    writeFileSync(join(runs, "2026-01-01", "events.jsonl"), log);
    const { status, stdout } = spawnSync(node, [join(projectRoot, "dist/cli.js"), "suggest"], {
      env: { ...process.env, XDG_STATE_HOME: join(folder, "later") },
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toContain("2 of 2 denied requests");
  });

  it("names entries that a run would refuse", () => {
    const { status, stderr } = cli(node, "judge", "alone.jsonl", "--allow", "Bash(git:*)");
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Note: `Bash\(git:\*\)` looks like the entry of another tool/);
  });

  it("judges a run by another allow list and prints what would change", () => {
    const { stdout } = cli(
      node,
      "judge",
      "alone.jsonl",
      "--allow",
      "read",
      "--allow",
      "shell(npm:*)",
      "--allow",
      "shell(curl)",
    );
    expect(stdout).toMatch(
      /^\+ line \d+: shell npm run build && curl .*\n {4}denied before, now approved: Approved by/m,
    );
    expect(stdout).toMatch(/^- line \d+: write .*dates\.js\n {4}approved before, now denied: /m);
    expect(stdout).toMatch(/\n\d+ requests, \d+ would change: 2 to approved, \d+ to denied\.\n$/);
  });

  it("judges for programs too", () => {
    const lines = cli(node, "judge", "alone.jsonl", "--allow-all", "--json").stdout.trim().split("\n");
    const judged = lines.map((line) => JSON.parse(line) as { before: string; now: string; changes: boolean });
    expect(judged.every(({ now }) => now === "approved")).toBe(true);
    expect(judged.filter(({ changes }) => changes)).toMatchObject([
      { before: "denied" },
      { before: "denied" },
    ]);
  });

  it("suggests the entries that were missing and marks the dangerous ones", () => {
    expect(cli(node, "suggest", "alone.jsonl").stdout).toBe(`2 of 2 denied requests would be approved by:

! shell(npm run:*)
      \`npm run\` with any arguments, alone or beside other allowed commands.
      Careful: \`npm\` runs scripts of packages and projects.
! shell(curl:*)
      \`curl\` with any arguments, alone or beside other allowed commands.
      Careful: it can send data to any host.
! read(/home/runner/.netrc)
      Reading this file, whatever is in it by then.
      Careful: files outside the workspace may hold credentials.
`);
  });

  it("suggests only what the given entries lack", () => {
    const { stdout } = cli(
      node,
      "suggest",
      "alone.jsonl",
      "--allow",
      "shell(npm:*)",
      "--allow",
      "read",
      "--json",
    );
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([{ entry: "shell(curl:*)" }]);
  });

  it("looks at the latest run when no log is named", () => {
    const runs = join(folder, "state", "copilot-driver", "runs");
    for (const [name, text] of [
      ["2026-01-01T00-00-00-000Z-1", ""],
      ["2026-01-02T00-00-00-000Z-1", log],
    ] as const) {
      mkdirSync(join(runs, name), { recursive: true });
      writeFileSync(join(runs, name, "events.jsonl"), text);
    }
    expect(cli(node, "suggest").stdout).toMatch(/^2 of 2 denied requests/);
    expect(cli(node, "judge", "--allow-all").stdout).toMatch(/2 to approved/);
    expect(cli(node, "report", "--md").stdout).toContain("dates.js");
    rmSync(join(folder, "state"), { recursive: true });
  });

  it.each(["report", "judge", "suggest"])("explains %s", (command) => {
    expect(cli(node, command, "--help").stdout).toMatch(new RegExp(`^Usage: copilot-driver ${command} `));
  });
});

it("the page of the committed bundle works in a browser", async () => {
  const [[, node = ""] = []] = nodes;
  cli(node, "report", "api", "-o", "bundle.html");
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(pathToFileURL(join(folder, "bundle.html")).href);
    await page.waitForSelector("html[data-ready=yes]");
    await page.locator(".line", { hasText: "npm test -- dates" }).click();
    expect(await page.locator(".details").innerText()).toContain("1 failed, 47 passed");
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}, 120_000);
