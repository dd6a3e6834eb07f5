import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compileSources, projectRoot } from "../support/compiled.ts";
import { createJob, node24 } from "../support/runner.ts";

describe("the Action's bundle", () => {
  it("is one file below 1.5 MB, as the other doors are one file each", () => {
    const dist = join(projectRoot, "dist");
    expect(readdirSync(dist).filter((name) => name.endsWith("js"))).toEqual([
      "cli.js",
      "driver.js",
      "index.js",
      "post.js",
    ]);
    expect(statSync(join(dist, "index.js")).size).toBeLessThan(1_500_000);
  });

  it("loads nothing once an agent works, who could have changed it", async () => {
    const copy = compileSources();
    const job = createJob((file, options) => spawn(node24, [join(copy.folder, file)], options));
    try {
      const files = readdirSync(join(copy.folder, "dist")).filter((name) => name.endsWith(".js"));
      const command = files
        .map((name) => `echo 'process.stdout.write("OVERWRITTEN")' > ${join(copy.folder, "dist", name)}`)
        .join("; ");
      const steps = [{ tool: "bash", with: { command } }, { say: "Done." }];
      const rehearsal = job.write("script.yml", JSON.stringify({ steps }));
      const run = await job.run({ rehearsal, "allow-all-tools": "true" });
      expect(readFileSync(join(copy.folder, "dist/index.js"), "utf8")).toContain("OVERWRITTEN");
      expect(run.visible.split("\n")).not.toContain("OVERWRITTEN");
      expect(run.raw).not.toMatch(/^OVERWRITTEN/m);
      expect(run.outputs["conclusion"]).toBe("completed");
      expect(run.summary).toContain("Completed");
      expect(statSync(run.outputs["report-file"] ?? "").size).toBeGreaterThan(1000);
    } finally {
      job.remove();
      copy.remove();
    }
  });
});
