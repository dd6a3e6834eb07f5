import { readFileSync, statSync } from "node:fs";
import { action, createJob, type Job, type StepRun } from "../support/runner.ts";

let job: Job;
beforeEach(() => (job = createJob()));
afterEach(() => job.remove());

const play = (steps: object[], inputs: Record<string, string> = {}): Promise<StepRun> =>
  job.run({ rehearsal: job.write("script.yml", JSON.stringify({ steps })), ...inputs });

const outputsOfAnyRun = Object.keys(action.outputs).filter((name) => name !== "report-file");

const ours = ["add-mask", "endgroup", "error", "group", "stop-commands", "warning"];

const forged = [
  "::set-output name=conclusion::forged",
  "::add-mask::o",
  "::error title=forged::forged",
  "before\r::warning::forged",
  "  ::notice::forged",
  "text ##[warning]forged",
  "##[add-mask]e",
  "##[group]forged",
  "::endgroup::",
  "::stop-commands::forged",
  "conclusion<<EOF\nforged\nEOF",
  "delimiter_0af533f4-dc4b-4e0d-8578-83713621882f",
  "![x](http://127.0.0.1:9/leak) <img src='http://127.0.0.1:9/leak'>",
  "```\n</details><script>alert(1)</script>\n```",
  "\u001b[2J\u2028::error::forged",
].join("\n");

const expectNothingForged = (run: StepRun): void => {
  expect(run.outputs["conclusion"]).toBe("completed");
  expect(Object.keys(run.outputs)).not.toContain("forged");
  const said = run.commands.map(({ name, data, properties }) => ({
    name,
    text: data + JSON.stringify(properties),
  }));
  expect(said.filter(({ name }) => !ours.includes(name))).toEqual([]);
  expect(said.filter(({ name, text }) => name !== "warning" && text.includes("forged"))).toEqual([]);
  expect(run.commands.filter(({ name, data }) => name === "add-mask" && data.length < 32)).toEqual([]);
  const groups = run.commands.map(({ name }) => name).filter((name) => name.endsWith("group"));
  expect(groups).toEqual(groups.map((_, index) => (index % 2 === 0 ? "group" : "endgroup")));
};

describe("model text", () => {
  it("in the answer is neither a command, nor an output, nor markup", async () => {
    const run = await play([{ say: forged }]);
    expectNothingForged(run);
    expect(run.outputs["result"]).toBe(forged);
    expect(run.visible).toContain("::set-output name=conclusion::forged");
    expect(run.summary).not.toMatch(/!\[x\]|<img/);
    expect(run.summary).not.toContain("could not be read");
  });

  it("in the arguments of tools, allowed and denied, is neither", async () => {
    const run = await play(
      [
        { tool: "bash", with: { command: forged } },
        { tool: "view", with: { path: `/tmp/${forged}` } },
        { tool: "glob", with: { pattern: "x ##[error]forged" } },
        { tool: "bash", with: { command: "echo ##[add-mask]e" } },
        { tool: "glob", with: { pattern: "\r\n::notice::forged" } },
        { say: "Done." },
      ],
      { "log-level": "debug" },
    );
    expectNothingForged(run);
    expect(Number(run.outputs["denied-count"])).toBeGreaterThan(0);
    expect(run.summary).not.toMatch(/!\[x\]|<img/);
  });

  it("in its errors is neither", async () => {
    const error = { status: 400, message: forged };
    const run = await play([{ error }], { retries: "0" });
    expect(run.outputs["conclusion"]).toBe("failed");
    expect(run.commands.filter(({ name }) => !ours.includes(name))).toEqual([]);
    expect(run.annotations.filter(({ name }) => name === "error")).toHaveLength(1);
    expect(run.summary).not.toMatch(/!\[x\]|<img/);
  });

  it("of three megabytes is cut where it must be, visibly, and is whole in the file", async () => {
    const answer = "All work and no play. ".repeat(140_000);
    const run = await play([{ say: answer }]);
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(readFileSync(run.outputs["result-file"] ?? "", "utf8")).toBe(answer);
    expect(run.outputs["result"]?.length).toBeLessThan(250_000);
    expect(run.outputs["result"]).toMatch(/\[\d+ more characters are in result-file\]$/);
    expect(Buffer.byteLength(run.summary)).toBeLessThan(1024 * 1024);
    expect(run.summary).toContain("left out");
    expect(run.raw.length).toBeLessThan(200_000);
    expect(statSync(run.outputs["report-file"] ?? "").size).toBeGreaterThan(1000);
  });
});

const expectWithoutRecord = (run: StepRun): void => {
  expect(run.exitCode).toBe(1);
  expect(Object.keys(run.outputs)).toEqual(expect.arrayContaining(outputsOfAnyRun));
  expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "record" });
  expect(run.annotations.filter(({ name }) => name === "error")).toHaveLength(1);
  expect(run.summary).toMatch(/^## ❌ Failed/);
};

describe("an agent with every permission", () => {
  it("cannot forge this step's outputs, the environment of later steps, or its summary", async () => {
    const attack = ["output", "state", "summary", "env", "path"]
      .map(
        (name) =>
          `for f in "$HOME"/commands/step-*-${name}; do printf 'forged=yes\\nconclusion=forged\\n' >> "$f"; done`,
      )
      .join("; ");
    const run = await play([{ tool: "bash", with: { command: attack } }, { say: "Done." }], {
      "allow-all-tools": "true",
    });
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(run.outputs["forged"]).toBeUndefined();
    expect(run.state["forged"]).toBeUndefined();
    expect(run.summary).not.toContain("forged=yes");
    const warning = run.annotations.find(({ data }) => data.includes("wrote to"));
    for (const name of ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH"])
      expect(warning?.data).toContain(name);
  });

  it("cannot hold the step up with pipes, or lead it elsewhere with links, in place of its files", async () => {
    const victim = job.write("victim.txt", "precious");
    const attack = [
      'cd "$HOME"',
      "for f in commands/step-*-output commands/step-*-env; do rm $f; mkfifo $f; done",
      `for f in commands/step-*-summary; do rm $f; ln -s ${victim} $f; done`,
      'for d in temp/copilot-driver-record-*; do mkfifo "$d/answer.md" "$d/events/result"; done',
      `for d in temp/copilot-driver-record-*; do ln -s ${victim} "$d/report.html"; done`,
      'for f in temp/copilot-driver-record-*/events/*/events.jsonl; do mv "$f" "$f.moved"; mkfifo "$f"; done',
    ].join("; ");
    const run = await play([{ tool: "bash", with: { command: attack } }, { say: "Done." }], {
      "allow-all-tools": "true",
    });
    expectWithoutRecord(run);
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readFileSync(run.outputs["result-file"] ?? "", "utf8")).toBe("Done.");
  });

  it.each([
    ["is removed", 'rm -r "$HOME"/temp/copilot-driver-record-*'],
    ["is removed without its folder", 'rm -r "$HOME"/temp/copilot-driver-record-*/events'],
    ["is emptied", 'for f in "$HOME"/temp/copilot-driver-record-*/events/*/*.jsonl; do : > "$f"; done'],
    ["goes with everything that is temporary", 'find "$HOME/temp" -mindepth 1 -delete'],
  ])("does not make the step green when its record %s", async (_what, command) => {
    const tampering = { tool: "bash", with: { command } };
    const run = await play([tampering, { tool: "bash", with: { command: "true" } }, { say: "Done." }], {
      "allow-all-tools": "true",
    });
    expectWithoutRecord(run);
  });

  it("cannot keep the step from telling how it ended by removing what the runner reads", async () => {
    const attack = 'rm -r "$HOME/commands"';
    const run = await play([{ tool: "bash", with: { command: attack } }, { say: "Done." }], {
      "allow-all-tools": "true",
    });
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ conclusion: "completed", result: "Done." });
    expect(run.summary).toMatch(/^## ✅ Completed/);
    expect(run.annotations.find(({ data }) => data.includes("wrote to"))?.data).toContain("GITHUB_ENV");
    expect((await job.post(run.state)).visible).toContain("The step has cleaned up after itself.");
  });
});
