import { longer, nearest } from "../src/nearest.ts";

describe("nearest", () => {
  it.each([
    ["nmae", "name"],
    ["promt", "prompt"],
    ["exitcode", "exitCode"],
    ["stps", "steps"],
  ])("takes %s for %s", (word, meant) => {
    expect(nearest(word, ["name", "prompt", "steps", "exitCode"])).toBe(meant);
  });

  it.each([
    ["--timeout", "--timeout-minutes"],
    ["--api-key", "--provider-api-key"],
    ["--file", "--prompt-file"],
  ])("takes %s for the longer %s", (word, meant) => {
    expect(longer(word, ["--model", "--prompt-file", "--provider-api-key", "--timeout-minutes"])).toBe(meant);
  });

  it("suggests nothing that is far away", () => {
    expect(nearest("colour", ["name", "prompt"])).toBeUndefined();
    expect(nearest("x", [])).toBeUndefined();
    expect(longer("-p", ["--prompt-file"])).toBeUndefined();
    expect(longer("--colour", ["--prompt-file"])).toBeUndefined();
  });
});
