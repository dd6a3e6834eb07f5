import { failureKinds } from "../../src/errors.ts";
import { decideRetry, type Attempted } from "../../src/harness/retry.ts";

const failed: Attempted = {
  attempt: 1,
  retries: 2,
  errorKind: "rate-limit",
  retryable: true,
  agentActed: false,
  remainingMs: 600_000,
  longestWaitMs: 600_000,
};
const decide = (changes: Partial<Attempted>, random = 1) =>
  decideRetry({ ...failed, ...changes }, () => random);

describe("a retry", () => {
  it("waits longer each time, with jitter, up to a minute", () => {
    expect(decide({})).toEqual({ retry: true, delayMs: 1000 });
    expect(decide({}, 0)).toEqual({ retry: true, delayMs: 500 });
    expect(decide({ attempt: 2 })).toEqual({ retry: true, delayMs: 2000 });
    expect(decide({ attempt: 20, retries: 30 })).toEqual({ retry: true, delayMs: 60_000 });
  });

  it("waits as long as the server asks for", () => {
    expect(decide({ retryAfterMs: 7_000 })).toEqual({ retry: true, delayMs: 7_000 });
  });

  it.each<[string, Partial<Attempted>]>([
    ["the run completed", { errorKind: undefined }],
    ["the run was cancelled", { errorKind: "cancelled" }],
    ["a new run would not help", { retryable: false }],
    ["its time is used up", { errorKind: "timeout" }],
    ["the agent has already acted", { agentActed: true }],
    ["no retry is left", { attempt: 3 }],
    ["no retry is left", { retries: 0 }],
    ["too little time is left", { remainingMs: 900 }],
    ["too little time is left", { retryAfterMs: 600_000 }],
    ["the provider asks for a longer wait than a session may take", { retryAfterMs: 600_001 }],
    [
      "the provider asks for a longer wait than a session may take",
      { retryAfterMs: 600_001, remainingMs: Infinity },
    ],
  ])("does not happen when %s", (reason, changes) => {
    expect(decide(changes)).toEqual({ retry: false, reason });
  });

  it("never happens after the agent acted, whatever the failure", () => {
    for (const errorKind of failureKinds) expect(decide({ errorKind, agentActed: true }).retry).toBe(false);
  });
});
