import { decide, decideTool } from "../../src/policy/decide.ts";
import { policyOf } from "../../src/policy/rules.ts";

const scoped = (...allowedTools: string[]) => policyOf({ allowedTools }).policy;
const shell = (fullCommandText: string) => ({ kind: "shell", fullCommandText });

describe("a decision", () => {
  it("defers to the runtime without a policy (T-CSD-101)", () => {
    expect(decide({ mode: "default" }, shell("ls"), "/")).toMatchObject({
      decision: "default",
      reason: "no-policy",
    });
  });

  it("approves everything, whatever it is, if all tools are allowed (T-CSD-102)", () => {
    for (const request of [
      shell("rm -rf /"),
      { kind: "memory" },
      null,
      { kind: "read", path: "/proc/self/environ" },
    ])
      expect(decide({ mode: "allow-all" }, request, "/")).toMatchObject({
        decision: "approve",
        reason: "allow-all",
      });
  });

  it("names the entry that approved", () => {
    expect(decide(scoped("shell(head)", "shell(git:*)"), shell("git log | head"), "/")).toEqual({
      decision: "approve",
      reason: "rule",
      message: "Approved by `shell(git:*)`.",
      rule: "shell(git:*)",
    });
  });

  it("names the part that no entry allows, and the nearest entry", () => {
    expect(decide(scoped("shell(git log:*)"), shell("git log && git push --force"), "/")).toEqual({
      decision: "deny",
      reason: "no-rule",
      message: "No shell entry allows `git push --force`.",
      part: "git push --force",
      rule: "shell(git log:*)",
    });
  });

  it("shows no more of a part than a person reads", () => {
    const { part, message } = decide(scoped("shell(ls)"), shell(`echo ${"a".repeat(5000)}`), "/");
    expect(part?.length).toBeLessThanOrEqual(200);
    expect(message.length).toBeLessThanOrEqual(200);
  });

  it("takes links into account through the resolver that it is given", () => {
    const links = (path: string): string => path.replace("/w/inside", "/etc");
    const read = { kind: "read", path: "inside/passwd" };
    expect(decide(scoped("read(inside/**)"), read, "/w", links)).toMatchObject({ decision: "deny" });
    expect(decide(scoped("read(inside/**)"), read, "/w", (path) => path)).toMatchObject({
      decision: "approve",
    });
    expect(decide(scoped("read(inside/**)"), read, "/w", () => undefined)).toMatchObject({
      decision: "deny",
    });
  });

  it("starts relative redirections where the runtime says that the shell starts", () => {
    const request = { ...shell("echo x > out/a"), resolvedWorkingDirectory: "/elsewhere" };
    expect(decide(scoped("shell(echo)", "write(out/**)"), request, "/w", (path) => path)).toMatchObject({
      decision: "deny",
      reason: "redirection",
    });
  });
});

describe("the second barrier", () => {
  const mcpServers = ["my-srv", "my", "my.dot srv"];

  it("stops tools of servers that no entry lists", () => {
    expect(decideTool(scoped("other"), { toolName: "my-srv-look_it", mcpServers })).toMatchObject({
      decision: "deny",
      reason: "no-rule",
    });
    expect(decideTool(scoped("read"), { toolName: "my-dot-srv-look", mcpServers })).toMatchObject({
      decision: "deny",
    });
  });

  it("stops other tools of a server of which one is listed", () => {
    const policy = scoped("srv(look_it)");
    expect(decideTool(policy, { toolName: "srv-look_it", mcpServers: ["srv"] }).decision).toBe("default");
    expect(decideTool(policy, { toolName: "srv-take_it", mcpServers: ["srv"] }).decision).toBe("deny");
  });

  it("lets listed servers and the runtime's own tools go on, and never approves by itself", () => {
    const policy = scoped("srv", "read");
    for (const toolName of ["srv-look_it", "bash", "view", "sql", "task", "report_intent", "my_custom-tool"])
      expect(decideTool(policy, { toolName, mcpServers: ["srv", "unlisted"] }).decision).toBe("default");
  });

  it("asks for every server to which an ambiguous name could belong", () => {
    expect(decideTool(scoped("my-srv"), { toolName: "my-srv-look", mcpServers }).decision).toBe("deny");
    expect(decideTool(scoped("my-srv(look)"), { toolName: "my-srv-look", mcpServers })).toMatchObject({
      decision: "deny",
      message:
        "`my-srv-look` could also be `my(srv-look)`, which is not on the allow list: add it, or rename a server.",
      rule: "my-srv(look)",
    });
    const both = scoped("my-srv(look)", "my(srv-look)");
    expect(decideTool(both, { toolName: "my-srv-look", mcpServers }).decision).toBe("default");
    expect(decideTool(scoped("my-srv", "my"), { toolName: "my-srv-look", mcpServers }).decision).toBe(
      "default",
    );
  });

  it("is open where the policy is", () => {
    expect(decideTool({ mode: "allow-all" }, { toolName: "my-srv-look", mcpServers }).decision).toBe(
      "approve",
    );
    expect(decideTool({ mode: "default" }, { toolName: "my-srv-look", mcpServers }).decision).toBe("default");
  });
});
