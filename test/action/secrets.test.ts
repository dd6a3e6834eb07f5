import { chownSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compileSources, type Compiled } from "../support/compiled.ts";
import { readableRuntime } from "../support/harness-process.ts";
import { ordinaryUser, spawnAsOrdinaryUser } from "../support/ordinary-user.ts";
import { createJob, jobToken, type Job } from "../support/runner.ts";

let compiled: Compiled;
let job: Job;
beforeAll(() => {
  compiled = compileSources();
  job = createJob((file, options) => {
    giveAway(dirname(job.workspace));
    return spawnAsOrdinaryUser(process.execPath, [join(compiled.folder, file)], options);
  });
});
afterAll(() => {
  job.remove();
  compiled.remove();
});

const giveAway = (folder: string): void => {
  if (ordinaryUser === undefined) return;
  const { uid, gid } = ordinaryUser;
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(join(folder, name), uid, gid);
};

describe("the runner", () => {
  it("is told every secret before anything else can be said about it", async () => {
    const driver = job.write(
      "tells.mjs",
      `console.error(process.env.COPILOT_CONNECTION_TOKEN); console.log("Done.");`,
    );
    const key = "sk-canaryOfTheProvider";
    const run = await job.run({
      driver,
      prompt: "Do it.",
      model: "any",
      "runtime-path": readableRuntime(compiled),
      "provider-base-url": "http://127.0.0.1:1/v1",
      "provider-api-key": key,
      "mcp-config": '{"mcpServers": {"x": {"command": "x", "env": {"X_TOKEN": "canaryOfTheServer"}}}}',
      "log-level": "debug",
    });
    expect(run.outputs["conclusion"]).toBe("completed");
    const masks = run.commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
    expect(masks).toEqual(expect.arrayContaining(["canaryOfTheServer", key]));
    // The connection token, and the two secrets of the broker.
    expect(masks.filter((mask) => /^[0-9a-f]{64}$/.test(mask))).toHaveLength(3);
    for (const mask of masks) expect(run.raw.split(mask)[0]).toMatch(/::add-mask::$/);
  });
});

describe("a person", () => {
  it("is told in an annotation and in the summary where the agent can read the credential", async () => {
    const key = "sk-canaryOfTheProvider";
    mkdirSync(join(job.workspace, ".git"));
    job.write(".git/config", `extraheader = AUTHORIZATION: bearer ${key}\n`);
    const run = await job.run({
      driver: job.write("terse.mjs", 'console.log("Done.");'),
      prompt: "Do it.",
      model: "any",
      "runtime-path": readableRuntime(compiled),
      "provider-base-url": "http://127.0.0.1:1/v1",
      "provider-api-key": key,
    });
    const note = run.annotations.find(({ properties }) => properties["title"] === "Take note");
    expect(note?.data).toContain("persist-credentials: false");
    expect(run.summary).toContain("persist-credentials");
    expect(run.raw.replaceAll(`::add-mask::${key}`, "")).not.toContain(key);
  });
});

describe("an agent that may run every command, as the same user", () => {
  it("finds the job's token in no environment, no file of the job, and not in its own hands", async () => {
    const search = [
      "echo processes: $(grep -l 'j0bT0ke[n]' /proc/[0-9]*/environ 2>/dev/null | wc -l)",
      "echo own: $(env | grep -c 'j0bT0ke[n]\\|^INPUT_\\|^GITHUB_\\|^ACTIONS_\\|^STATE_')",
      'echo files: $(grep -rl "j0bT0ke[n]" "$HOME" 2>/dev/null | wc -l)',
      "echo readable: $(cat /proc/self/environ | wc -c | grep -c '^0')",
    ].join("; ");
    const rehearsal = job.write(
      "script.yml",
      JSON.stringify({
        steps: [{ tool: "bash", with: { command: search } }, { say: "Done." }],
      }),
    );
    const run = await job.run(
      { rehearsal, "allow-all-tools": "true", "runtime-path": readableRuntime(compiled) },
      { ACTIONS_RUNTIME_TOKEN: "runtime-secret", GITHUB_TOKEN: jobToken },
    );
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(run.visible).not.toContain("not sealed");
    expect(run.raw).not.toContain(jobToken);
    expect(readFileSync(run.outputs["events-file"] ?? "", "utf8")).toMatch(
      /processes: 0\\nown: 0\\nfiles: 0\\nreadable: 0/,
    );
  });
});
