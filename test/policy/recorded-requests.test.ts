import { readdirSync, readFileSync } from "node:fs";
import { decide } from "../../src/policy/decide.ts";
import { policyOf } from "../../src/policy/rules.ts";
import { recordPermissionRequests } from "../support/permission-requests.ts";
import type { RecordedPermission } from "../support/permission-requests.ts";

const folder = new URL("../corpus/permission-requests/", import.meta.url);
const own = "1.0.85";

const read = (version: string): RecordedPermission[] =>
  readFileSync(new URL(`${version}.jsonl`, folder), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedPermission);

const policies = {
  "a few commands": ["shell(echo)", "shell(git:*)", "shell(head)", "shell(pwd)", "shell(cat)"],
  "commands and files": [
    "shell(echo)",
    "shell(cat)",
    "shell(ls)",
    "shell([)",
    "shell(cd)",
    "shell(pwd)",
    "read",
    "write",
  ],
  "files in the workspace": ["read(**)", "write(*.txt)"],
  "one tool and the web": ["fixture(echo)", "web_fetch"],
  "any command": ["shell"],
};

/** A decision is about a tool call, so the twice-asked count once. */
const decisionsOf = (recorded: readonly RecordedPermission[], allowedTools: readonly string[]) =>
  recorded.map(({ call, requests }) => ({
    call,
    decisions: [
      ...new Set(
        requests.map((request) => {
          const { decision, reason } = decide(policyOf({ allowedTools }).policy, request, "/workspace");
          return `${decision} ${reason}`;
        }),
      ),
    ],
  }));

describe("recorded permission requests", () => {
  const versions = readdirSync(folder).map((file) => file.replace(".jsonl", ""));

  it("exist for the SDK's own runtime and for the full one", () => {
    expect(versions).toEqual(expect.arrayContaining([own, "1.0.102"]));
  });

  describe.each(Object.entries(policies))("under %s", (_name, allowedTools) => {
    it("are decided the same whichever runtime asks", () => {
      const [first, ...others] = versions.map((version) => decisionsOf(read(version), allowedTools));
      expect(JSON.stringify(first)).toContain("approve rule");
      for (const other of others) expect(other).toEqual(first);
    });
  });

  it("are what the runtime at hand asks today", async () => {
    const today = await recordPermissionRequests();
    expect(today).toEqual(read(own));
  });

  it("never include a read-only MCP tool, which is why there is a second barrier", () => {
    for (const version of versions)
      expect(read(version).find(({ call }) => call.name === "fixture-peek")?.requests).toEqual([]);
  });

  it("carry the whole command text as their only identifier, which is why the text is read instead", () => {
    const shell = read(own).flatMap(({ requests }) => requests as Record<string, unknown>[]);
    for (const { fullCommandText, commands } of shell.filter(({ kind }) => kind === "shell"))
      expect(commands).toEqual([{ identifier: fullCommandText, readOnly: expect.any(Boolean) as boolean }]);
  });
});
