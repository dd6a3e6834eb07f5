import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseState } from "../../src/action/saved-state.ts";
import { withDescendants } from "../support/descendants.ts";
import { kill } from "../support/end-group.ts";
import { createJob, type Job } from "../support/runner.ts";

let job: Job;
beforeEach(() => (job = createJob()));
afterEach(() => job.remove());

const isRunning = (pid: number): boolean => {
  try {
    const [, state = "Z"] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state !== "Z";
  } catch {
    return false;
  }
};

const isGuardian = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("/bin/sh\0-c\0");

/** With its guardian, which would end the rest before the post step can. */
const killedStep = async () => {
  const rehearsal = job.write(
    "script.yml",
    JSON.stringify({ steps: [{ tool: "glob", with: { pattern: "*" } }, { hang: true }] }),
  );
  const { child, until, finished } = job.start({ rehearsal });
  await until(/✓ glob/);
  const guardians = withDescendants(child.pid ?? 0).filter(isGuardian);
  expect(guardians).toHaveLength(1);
  guardians.forEach(kill);
  child.kill("SIGKILL");
  return finished;
};

describe("the post step", () => {
  it("ends what a killed main step left, removes its folder, and tells what the record shows", async () => {
    const killed = await killedStep();
    expect(killed.outputs).toEqual({});
    const state = parseState(killed.state["copilot-driver"] ?? "");
    const pids = state?.processes.map(({ pid }) => pid) ?? [];
    expect(pids).toHaveLength(2);
    expect(pids.some(isRunning)).toBe(true);
    expect(existsSync(state?.temporary ?? "")).toBe(true);

    const post = await job.post(killed.state);
    expect(post.exitCode).toBe(0);
    expect(post.visible).toContain("The step was killed");
    expect(pids.filter(isRunning)).toEqual([]);
    expect(readdirSync(job.temporary)).toEqual([basename(state?.record ?? "")]);
    expect(post.summary).toMatch(/^## ⏹️ Cancelled after [1-9]/);
    expect(post.summary).toContain("killed before it could tell how it went");
    expect(post.summary).toContain("glob");
    expect(readdirSync(join(state?.record ?? "", "events"))).toHaveLength(1);
  });

  it("leaves alone what a forged state names", async () => {
    const precious = join(job.workspace, "copilot-driver-precious");
    mkdirSync(precious);
    writeFileSync(join(precious, "schema.json"), "{}");
    const forged = { processes: [{ pid: process.pid, since: "1" }], temporary: precious, record: precious };
    const post = await job.post({ "copilot-driver": JSON.stringify(forged) });
    expect(post.visible).toContain("0 of its processes");
    expect(existsSync(join(precious, "schema.json"))).toBe(true);
    expect(post.summary).toBe("");
  });

  it.each(["", "no JSON", "[]", '{"processes": 1}'])("has nothing to do for the state %j", async (text) => {
    const post = await job.post({ "copilot-driver": text });
    expect(post.exitCode).toBe(0);
    expect(post.visible).toContain("has left nothing to clean up");
  });
});
