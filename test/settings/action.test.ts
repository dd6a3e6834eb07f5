import { readActionWorld } from "../../src/settings/action.ts";

describe("what the runner tells a step", () => {
  it("includes that somebody wants to see more of it, unless the step says how much", () => {
    expect(readActionWorld({ RUNNER_DEBUG: "1" }).inputs).toEqual({ "log-level": "debug" });
    expect(readActionWorld({}).inputs).toEqual({});
    const told = readActionWorld({ RUNNER_DEBUG: "1", "INPUT_LOG-LEVEL": "error" });
    expect(told.inputs).toEqual({ "log-level": "error" });
  });

  it("names whoever caused the event", () => {
    expect(readActionWorld({ GITHUB_ACTOR: "octocat" }).actor).toBe("octocat");
  });
});
