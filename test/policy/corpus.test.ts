import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decide } from "../../src/policy/decide.ts";
import { policyOf } from "../../src/policy/rules.ts";
import { readCorpus } from "../support/corpus.ts";
import type { Case } from "../support/corpus.ts";
import { proves } from "../support/proof.ts";

const corpus = readCorpus();
const count = (expected: Case["expected"]): number =>
  corpus.filter((entry) => entry.expected === expected).length;

let workspace: string;

beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), "workspace-"));
  mkdirSync(join(workspace, "src/deep"), { recursive: true });
  symlinkSync("/etc", join(workspace, "link"));
  symlinkSync("..", join(workspace, "src/up"));
  symlinkSync("/nonexistent/target", join(workspace, "dangling"));
  symlinkSync("/proc/self/environ", join(workspace, "secrets-link"));
  writeFileSync(join(workspace, "package.json"), "{}");
});

afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const titleOf = ({ file, about, expected, request, command }: Case): string =>
  `${file.replace(".yml", "")}, ${about}: ${expected === "approve" ? "approves" : "denies"} ${JSON.stringify(command ?? request)}`;

describe("the corpus", () => {
  it("holds enough of both kinds", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(300);
    expect(count("approve")).toBeGreaterThanOrEqual(100);
    expect(count("deny")).toBeGreaterThanOrEqual(100);
  });

  it.each(corpus.map((entry) => [titleOf(entry), entry] as const))("%s", (_title, entry) => {
    const request: unknown = JSON.parse(
      JSON.stringify(entry.request).replaceAll("{workspace}", JSON.stringify(workspace).slice(1, -1)),
    );
    const decision = decide(policyOf({ allowedTools: entry.rules }).policy, request, workspace);
    expect(decision).toMatchObject({
      decision: entry.expected,
      ...(entry.reason === undefined ? {} : { reason: entry.reason }),
      ...(entry.part === undefined ? {} : { part: entry.part }),
    });
    expect(decision.message).toMatch(/^[^]+\.$/);
  });

  it("is right: what it denies for running, writing or showing something really does so in Bash", async () => {
    const claims = corpus.filter(({ proof }) => proof !== undefined);
    expect(claims.length).toBeGreaterThan(200);
    const wrong: string[] = [];
    const prove = async (): Promise<void> => {
      for (let claim = claims.pop(); claim !== undefined; claim = claims.pop())
        if (!(await proves(claim.command ?? "", claim.proof ?? "")))
          wrong.push(`${claim.proof}: ${JSON.stringify(claim.command)}`);
    };
    await Promise.all([prove(), prove(), prove()]);
    expect(wrong).toEqual([]);
  });
});
