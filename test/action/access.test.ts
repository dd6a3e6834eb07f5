import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { trustOf } from "../../src/settings/github-event.ts";
import { createJob, jobToken, type Job, type StepRun } from "../support/runner.ts";

let job: Job;
let permission: { status: number; body: string };
let requests: Pick<IncomingMessage, "url" | "headers">[];
const api = createServer((request, response) => {
  // Other tests knock on every port of their user.
  if (request.url?.startsWith("/repos/")) requests.push({ url: request.url, headers: request.headers });
  response.writeHead(permission.status, { "content-type": "application/json" }).end(permission.body);
});
beforeAll(async () => {
  job = createJob();
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  job.remove();
  await new Promise((resolve) => api.close(resolve));
});
beforeEach(() => {
  requests = [];
  permission = { status: 200, body: '{"permission": "write"}' };
});

const fork = {
  pull_request: {
    head: { repo: { full_name: "stranger/repo" } },
    base: { repo: { full_name: "octo/repo" } },
  },
};

const workflowRun = (event: string, full_name: string) => ({
  workflow_run: { event, actor: { login: "stranger" }, head_repository: { full_name } },
  repository: { full_name: "octo/repo" },
});

const trigger = (
  event: string,
  payload: unknown,
  inputs: Record<string, string> = {},
  environment: Record<string, string> = {},
): Promise<StepRun> =>
  job.run(
    {
      rehearsal: job.write("script.yml", JSON.stringify({ steps: [{ say: "Hello." }] })),
      report: "false",
      ...inputs,
    },
    {
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: job.write("event.json", JSON.stringify(payload)),
      GITHUB_ACTOR: "some[bot]",
      GITHUB_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      ...environment,
    },
  );

describe("an event that outsiders can trigger", () => {
  it("runs for somebody with write access, asked for with the job's token, without the fork's instructions", async () => {
    const run = await trigger("pull_request", fork, { "github-token": "github_pat_other" });
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(requests).toHaveLength(1);
    expect(requests[0]?.url).toBe("/repos/octo/repo/collaborators/some%5Bbot%5D/permission");
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${jobToken}`);
    expect(run.visible).toContain("the repository's instructions: not followed (event pull_request)");
    expect(run.visible).toContain("has the permission write");
  });

  it("fails for anybody else, before anything starts", async () => {
    permission.body = '{"permission": "read"}';
    const run = await trigger("issue_comment", {});
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "no-write-access" });
    expect(run.annotations[0]?.data).toContain("some[bot] has the permission read, not write");
    expect(run.annotations[0]?.properties["title"]).toContain("allowed-actors");
    expect(run.visible).not.toContain("The agent at work");
  });

  it("is told from what caused a workflow run, whose own actor is asked about", async () => {
    permission.body = '{"permission": "read"}';
    const run = await trigger("workflow_run", workflowRun("issue_comment", "octo/repo"));
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "no-write-access" });
    expect(requests.map(({ url }) => url)).toEqual(["/repos/octo/repo/collaborators/stranger/permission"]);
  });

  it("is neutral instead, where that is wanted, also without a place for a summary", async () => {
    permission = { status: 404, body: "{}" };
    const skip = { "require-write-access": "skip" };
    const run = await trigger("issues", {}, skip);
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ conclusion: "skipped", "error-kind": "", result: "" });
    expect(run.annotations.map(({ name }) => name)).toEqual(["notice"]);
    expect(run.summary).toContain("Skipped");
    const untold = await trigger("issues", {}, skip, { GITHUB_STEP_SUMMARY: "/nowhere/summary" });
    expect(untold.exitCode).toBe(0);
    expect(untold.outputs["conclusion"]).toBe("skipped");
    expect(untold.annotations.map(({ name }) => name)).toEqual(["notice", "warning"]);
  });

  it("asks nobody about the actors that are allowed", async () => {
    const run = await trigger("pull_request_target", fork, { "allowed-actors": "other\nSome[bot]" });
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(requests).toEqual([]);
  });

  it.each<[string, typeof permission]>([
    ["fails", { status: 500, body: "" }],
    ["refuses the token", { status: 403, body: "{}" }],
    ["answers nonsense", { status: 200, body: "<html>" }],
  ])("does not run when the API %s", async (_what, answer) => {
    permission = answer;
    const run = await trigger("discussion_comment", {});
    expect(run.outputs).toMatchObject({ conclusion: "failed", "error-kind": "no-write-access" });
  });

  it("needs no check where everybody may use the workflow", async () => {
    const run = await trigger("issues", {}, { "require-write-access": "false" });
    expect(run.outputs["conclusion"]).toBe("completed");
    expect(requests).toEqual([]);
  });
});

describe("what an event says about trust", () => {
  const own = {
    pull_request: { head: { repo: { full_name: "octo/repo" } }, base: { repo: { full_name: "octo/repo" } } },
  };
  const trusted = { outsidersCanTrigger: false, codeIsTrusted: true };
  const foreign = { outsidersCanTrigger: true, codeIsTrusted: false };
  const mixed = { outsidersCanTrigger: true, codeIsTrusted: true };

  it.each<[string, string | undefined, unknown, object]>([
    ["a push", "push", {}, trusted],
    ["a schedule", "schedule", {}, trusted],
    ["a pull request of the repository", "pull_request", own, trusted],
    ["a pull request from a fork", "pull_request", fork, foreign],
    [
      "a pull request whose fork is gone",
      "pull_request",
      { pull_request: { head: { repo: null } } },
      foreign,
    ],
    ["a pull request without a payload", "pull_request", undefined, foreign],
    ["pull_request_target from a fork", "pull_request_target", fork, foreign],
    ["pull_request_target of the repository", "pull_request_target", own, mixed],
    ["a review of a fork's pull request", "pull_request_review", fork, foreign],
    ["an issue", "issues", {}, mixed],
    ["a comment on an issue", "issue_comment", { issue: {} }, mixed],
    ["a comment on a pull request", "issue_comment", { issue: { pull_request: {} } }, foreign],
    ["a workflow run after a push", "workflow_run", workflowRun("push", "octo/repo"), trusted],
    [
      "a workflow run after a pull request of the repository",
      "workflow_run",
      workflowRun("pull_request", "octo/repo"),
      trusted,
    ],
    [
      "a workflow run after a fork's pull request",
      "workflow_run",
      workflowRun("pull_request", "stranger/repo"),
      foreign,
    ],
    ["a workflow run after a comment", "workflow_run", workflowRun("issue_comment", "octo/repo"), foreign],
    ["a workflow run after another one", "workflow_run", workflowRun("workflow_run", "octo/repo"), foreign],
    ["a workflow run without a payload", "workflow_run", undefined, foreign],
    ["an event that nobody knows yet", "telepathy", {}, foreign],
    ["no event", undefined, undefined, foreign],
  ])("%s", (_what, name, payload, expected) => {
    expect(trustOf(name, payload)).toEqual(expected);
  });
});
