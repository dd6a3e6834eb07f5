/** The kit on our driver, on another one that conforms, and on drivers that are wrong on purpose. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../support/compiled.ts";
import { driverFile } from "../support/driver.ts";
import { ended } from "../support/ordinary-user.ts";

type Check = {
  id: string;
  level: number;
  verdict: string;
  reproduce: string;
  findings: { required: string; observed: string; ok: boolean }[];
};
type Report = { driver: string[]; passed: number; failed: number; checks: Check[] };

const fixture = (name: string): string => join(projectRoot, "test/fixtures/drivers", `${name}.mjs`);

const kit = (...args: string[]) =>
  ended(spawn(process.execPath, [join(projectRoot, "dist/cli.js"), "conformance", ...args]));

const reportOn = async (
  driver: string,
  ...options: string[]
): Promise<Report & { status: number | null }> => {
  const { stdout, stderr, status } = await kit("--json", ...options, "--", process.execPath, driver);
  expect(stderr).toBe("");
  return { ...(JSON.parse(stdout) as Report), status };
};

const failedIds = ({ checks }: Report): string[] =>
  checks.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `T-CSD-${String(from + n).padStart(3, "0")}`);
const ids = [...range(1, 8), ...range(101, 111), "T-CSD-201", "T-CSD-202"];
const needsCompletion = [...range(4, 8), "3.2"];
const needsPolicy = [...range(102, 111), "T-CSD-202"];
const needsLogs = ["T-CSD-201", "6.4"];

it("passes our driver on every id of the specification, as docs/conformance.md says", async () => {
  const report = await reportOn(driverFile);
  expect(failedIds(report)).toEqual([]);
  expect(report.status).toBe(0);
  expect(report.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  const script = join(projectRoot, "scripts/conformance-matrix.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
    input: JSON.stringify(report),
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

it.each<[string, string[]]>([
  ["plain", []],
  ["logs-its-token", ["T-CSD-007"]],
  ["never-cleans-up", ["7.3"]],
  ["matches-by-prefix", ["T-CSD-109"]],
  ["approves-everything", ["T-CSD-101", "T-CSD-103", ...range(105, 111), "T-CSD-202"]],
  ["specification-example", [...needsCompletion, "T-CSD-101", ...needsPolicy, ...needsLogs]],
  ["specification-example-repaired", [...needsPolicy, ...needsLogs]],
])("finds in %s exactly %j", async (name, expected) => {
  const report = await reportOn(fixture(name));
  expect(failedIds(report).sort()).toEqual(expected.sort());
  expect(report.status).toBe(expected.length === 0 ? 0 : 1);
});

const tokens = ["T-CSD-003", "T-CSD-007", "T-CSD-008", "3.2"];
const prompts = ["T-CSD-001", "T-CSD-202", "3.2"];
const waiting = ["T-CSD-005", "T-CSD-006", "4.3"];
const rules = ["T-CSD-105", "T-CSD-109", "T-CSD-110", "T-CSD-111"];

it.each<[string, string, string[], string[]]>([
  ["writes-its-token", "T-CSD-007", ["the token is in no output and no file"], tokens],
  ["logs-its-token-in-halves", "T-CSD-007", ["the token is in no output and no file"], tokens],
  ["logs-a-platform-token", "T-CSD-008", ["with canaries in their place"], tokens],
  ["falls-back-to-a-platform-token", "T-CSD-008", ["the valid token in their place"], tokens],
  ["logs-whole-requests", "T-CSD-202", ["the entry for a denied command of 6 kB"], prompts],
  ["sends-its-prompt-twice", "3.2", ["one prompt is sent"], prompts],
  ["sends-another-prompt", "3.2", ["it is what the file holds"], prompts],
  ["reads-its-prompt-late", "T-CSD-001", ["GH_AW_PROMPT unset", "GH_AW_PROMPT empty"], prompts],
  ["takes-any-number-as-timeout", "T-CSD-006", ['= "0"', '= "-5"', '= ""'], waiting],
  ["gives-in", "T-CSD-109", ["[shell(git:*)]", "[shell(git)]", "[shell(git --version)]"], rules],
])("finds in %s only %s, and there only %j", async (name, id, parts, among) => {
  const { checks } = await reportOn(fixture(name), ...among.flatMap((each) => ["--only", each]));
  const found = checks.flatMap(({ id, findings }) =>
    findings.filter(({ ok }) => !ok).map(({ required }) => ({ id, required })),
  );
  expect(found).toEqual(parts.map((part) => ({ id, required: expect.stringContaining(part) as string })));
});

it.each([
  ["hangs", "2", /still running after 2 s, killed/],
  ["floods", "60", /killed after 64 MB of output and messages/],
  ["floods-the-socket", "60", /killed after 64 MB of output and messages/],
  ["crashes", "60", /ended by SIGSEGV/],
])("gives a driver that %s a verdict", async (name, deadline, observed) => {
  const report = await reportOn(
    fixture(name),
    "--deadline",
    deadline,
    "--only",
    "T-CSD-001",
    "--only",
    "3.2",
  );
  expect(failedIds(report).sort()).toEqual(["3.2", "T-CSD-001"]);
  for (const { findings } of report.checks)
    expect(findings.map((finding) => finding.observed).join()).toMatch(observed);
});

it("passes a driver that fails whatever it is given on nothing", async () => {
  const { stdout, status } = await kit("--json", "--", "false");
  expect(status).toBe(1);
  expect((JSON.parse(stdout) as Report).passed).toBe(0);
});

it("tells what of a failed check is in order", async () => {
  const { stdout } = await kit("--only", "T-CSD-001", "--", "false");
  expect(stdout).toMatch(/holds: +GH_AW_PROMPT unset: a non-zero exit, and no session/);
});

it("ends what a driver leaves running, wherever it hides", async () => {
  const sleep = `sleep 9${process.pid}.5`;
  const { status } = await kit("--only", "3.2", "--", "sh", "-c", `setsid ${sleep} & exit 1`);
  expect(status).toBe(1);
  expect(spawnSync("pgrep", ["-f", `^${sleep}`], { encoding: "utf8" }).stdout).toBe("");
});

it("says how to repeat a failure alone, with the options that matter", async () => {
  const args = ["--only", "T-CSD-107", "--permissions-env", "MY_RULES"];
  const { stdout, status } = await kit(...args, "--", process.execPath, fixture("plain"));
  expect(status).toBe(1);
  expect(stdout).toContain("required: [lookup]: approves custom-tool lookup");
  expect(stdout).toContain("observed: custom-tool lookup: unanswered");
  expect(stdout).toMatch(
    /alone: +node \S*dist\/cli\.js conformance --only T-CSD-107 --permissions-env MY_RULES -- /,
  );
});

it("reports as JUnit XML, without letting a driver's words break it", async () => {
  const unwritable = "printf '\\357\\277\\276 \\357\\277\\277'";
  const command = `echo "error <&\\" $(${unwritable})" >&2; exit 1`;
  const { stdout } = await kit("--junit", "--only", "T-CSD-005", "--", "sh", "-c", command);
  expect(stdout).toMatch(/<testsuite name="[^"]+" tests="1" failures="1">/);
  expect(stdout).toContain("<failure message=");
  expect(stdout).toContain("error &lt;&amp;&quot; � �");
  expect(stdout).not.toMatch(/<&|[\ufffe\uffff]/);
});

it.each([
  [["--only", "T-CSD-19", "--", "true"], /no check 'T-CSD-19'/],
  [["--level", "4", "--", "true"], /--level must be 1, 2 or 3/],
  [["--deadline", "soon", "--", "true"], /--deadline must be whole seconds/],
  [["--json", "--junit", "--", "true"], /--json or --junit/],
  [["--permissions-env", "A B", "--", "true"], /name of a variable/],
  [["--json"], /Name the driver/],
  [["--only", "3.2", "--", "/nonexistent/driver"], /\/nonexistent\/driver cannot be started/],
])("refuses %j in one line", async (args, message) => {
  const { status, stdout, stderr } = await kit(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

it("ends what it started when it is cancelled", async () => {
  const child = spawn(process.execPath, [
    join(projectRoot, "dist/cli.js"),
    ...["conformance", "--only", "3.2", "--", process.execPath, fixture("hangs")],
  ]);
  const descendants = () =>
    spawnSync("ps", ["-o", "pid=", "--ppid", String(child.pid)], { encoding: "utf8" })
      .stdout.split("\n")
      .map(Number)
      .filter((pid) => pid > 0);
  const done = ended(child);
  while (descendants().length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
  const started = descendants();
  child.kill("SIGTERM");
  expect((await done).status).toBe(143);
  const isAlive = (pid: number) => {
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return stdout !== "" && !stdout.startsWith("Z");
  };
  while (started.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 50));
});
