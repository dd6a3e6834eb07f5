import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../support/compiled.ts";
import { createJob, parseCommandFile } from "../support/runner.ts";

type Step = { name?: string; run?: string };
const { jobs } = parse(readFileSync(join(projectRoot, ".github/workflows/fan-out.yml"), "utf8")) as {
  jobs: Record<string, { steps: Step[] }>;
};
const scriptOf = (job: string, name: string): string =>
  jobs[job]?.steps.find((step) => step.name === name)?.run ?? "exit 1";

/** As the runner runs it. */
const runScript = (script: string, cwd: string, environment: Record<string, string>): string =>
  execFileSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd,
    env: { PATH: process.env["PATH"], ...environment },
    encoding: "utf8",
  });

describe("the fan-out workflow", () => {
  it("names each record after its place, and merges them into one summary and one report", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fan-out-"));
    const job = createJob();
    const places = [
      ["my-org/api", "packages/a b"],
      ["my-org/api", "packages-a-b"],
    ] as const;
    try {
      for (const [index, [repository, directory]] of places.entries()) {
        const { outputs } = await job.run({ rehearsal: "default" });
        const output = join(folder, "output");
        writeFileSync(output, "");
        runScript(scriptOf("run", "Name the record after its place"), folder, {
          RUNNER_TEMP: folder,
          GITHUB_OUTPUT: output,
          REPOSITORY: repository,
          DIRECTORY: directory,
          INDEX: String(index),
          EVENTS: outputs["events-file"] ?? "",
        });
        const { name = "" } = parseCommandFile(readFileSync(output, "utf8"));
        expect(name).toBe(`my-org-api-packages-a-b-${index}`);
      }
      // What upload and download make of it.
      const checkout = join(folder, "checkout");
      mkdirSync(checkout);
      symlinkSync(join(folder, "record"), join(checkout, "runs"));
      symlinkSync(join(projectRoot, "dist"), join(checkout, "dist"));
      expect(readdirSync(join(checkout, "runs"))).toEqual([
        "my-org-api-packages-a-b-0",
        "my-org-api-packages-a-b-1",
      ]);
      const summary = join(folder, "summary.md");
      writeFileSync(summary, "");
      runScript(scriptOf("merge", "One report of all runs"), checkout, { GITHUB_STEP_SUMMARY: summary });
      for (const text of [
        readFileSync(summary, "utf8"),
        readFileSync(join(checkout, "report.html"), "utf8"),
      ]) {
        expect(text).toContain("my-org-api-packages-a-b-0");
        expect(text).toContain("my-org-api-packages-a-b-1");
      }
    } finally {
      job.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("says so when no run left a record", () => {
    const folder = mkdtempSync(join(tmpdir(), "fan-out-"));
    try {
      const merge = `(${scriptOf("merge", "One report of all runs")}) || true`;
      expect(runScript(merge, folder, {})).toBe(
        "::error::No run left a record to report: see why in the jobs before this one.\n",
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
