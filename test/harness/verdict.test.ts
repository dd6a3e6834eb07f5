import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDriverResult } from "../../src/harness/driver-result.ts";
import { failureOfRun } from "../../src/harness/failure-of-run.ts";
import type { Exit } from "../../src/harness/process-group.ts";
import { judgeDriverEnd } from "../../src/harness/verdict.ts";

const folder = mkdtempSync(join(tmpdir(), "verdict-"));
const file = join(folder, "result.json");
afterAll(() => rmSync(folder, { recursive: true }));

const judge = (left: object, code = 0, sidecar?: Exit) => {
  writeFileSync(file, JSON.stringify(left));
  return judgeDriverEnd(
    { exit: { code, signal: null }, interruption: "none", stdout: "", stderr: "last words\n" },
    readDriverResult(file),
    { durationMs: 5, deadlineMs: 9, cancelledBy: "SIGTERM", sidecar },
  );
};

const wishes = { failOnEmpty: false, failOnDenied: false, structured: false };

it("says how the runtime ended, also when the driver was the first to notice", () => {
  const left = { exitCode: 1, errorKind: "runtime-crashed", message: "The connection was lost" };
  expect(judge(left, 1, { code: null, signal: "SIGKILL" }).message).toBe(
    "The Copilot runtime ended during the run (signal SIGKILL).",
  );
  expect(judge(left, 1).message).toBe("The connection was lost");
});

describe("a result that a driver left", () => {
  it.each<[string, object, number, object]>([
    [
      "a failed exit without a kind",
      { exitCode: 1, output: "x", hasOutput: true },
      1,
      { message: "last words" },
    ],
    [
      "success where the process failed",
      { exitCode: 0, outcome: "completed" },
      124,
      { errorKind: "timeout" },
    ],
    ["a failure where the process did well", { exitCode: 3 }, 0, { errorKind: "denied", exitCode: 3 }],
    ["a kind alone", { exitCode: 0, errorKind: "rate-limit" }, 0, { errorKind: "rate-limit", exitCode: 1 }],
    ["an outcome alone", { exitCode: 0, outcome: "failed" }, 0, { errorKind: "unknown", exitCode: 1 }],
    [
      "a kind with its code",
      { exitCode: 143, errorKind: "cancelled", message: "m" },
      143,
      { outcome: "cancelled", exitCode: 143, message: "m" },
    ],
  ])("is a failure when it tells of %s", (_, left, code, expected) => {
    const result = judge(left, code);
    expect(result).toMatchObject(expected);
    expect(result.exitCode).not.toBe(0);
    expect(failureOfRun(result, wishes)).toBeDefined();
  });

  it("counts for what in it is of the right type, and no more", () => {
    const odd = {
      exitCode: 0,
      output: 7,
      hasOutput: "yes",
      durationMs: null,
      outcome: "martian",
      errorKind: "__proto__",
      tools: null,
      denials: [{}],
      warnings: [1],
      usage: [],
      eventsFile: {},
      codeChanges: {},
      unknown: true,
      model: "m",
    };
    expect(judge(odd)).toEqual({
      exitCode: 0,
      outcome: "completed",
      output: "",
      hasOutput: false,
      durationMs: 5,
      tools: [],
      denials: [],
      warnings: [],
      model: "m",
    });
  });

  it.each([[], "text", { exitCode: "0" }, { output: "x" }])("is none when it is %j", (left) => {
    writeFileSync(file, JSON.stringify(left));
    expect(readDriverResult(file)).toBeUndefined();
  });
});
