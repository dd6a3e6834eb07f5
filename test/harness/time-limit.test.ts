import {
  deadlineOf,
  longestWaitMs,
  remainingMs,
  sendTimeoutOf,
  type TimeLimit,
} from "../../src/harness/time-limit.ts";

const minutes = (value: number): TimeLimit => ({ kind: "minutes", minutes: value });

describe("the time limit", () => {
  it("leaves thirty seconds of the step's minutes for clean-up, and at least one second", () => {
    expect(sendTimeoutOf(minutes(10), 0)).toBe("570000");
    expect(sendTimeoutOf(minutes(0.5), 0)).toBe("1000");
    expect(sendTimeoutOf(minutes(1.00001), 0)).toBe("30000");
  });

  it("takes off what earlier attempts have spent", () => {
    expect(sendTimeoutOf(minutes(10), 70_000)).toBe("500000");
    expect(remainingMs(minutes(10), 70_000)).toBe(500_000);
    expect(sendTimeoutOf(minutes(1), 70_000)).toBe("1000");
  });

  it("passes an explicit send timeout through as it is, for the driver to judge", () => {
    expect(sendTimeoutOf({ kind: "explicit", sendTimeoutMs: "12000" }, 5_000)).toBe("12000");
    expect(sendTimeoutOf({ kind: "explicit", sendTimeoutMs: "soon" }, 0)).toBe("soon");
    expect(sendTimeoutOf({ kind: "default" }, 0)).toBeUndefined();
    expect(remainingMs({ kind: "default" }, 5_000)).toBe(Infinity);
  });

  it("ends a driver some time after its own timeout, whatever that text says", () => {
    expect(deadlineOf("570000")).toBe(590_000);
    for (const invalid of [undefined, "soon", "-1", "0", ""]) expect(deadlineOf(invalid)).toBe(620_000);
  });

  it("bounds a pause by the session's own time, and everything by what a timer can hold", () => {
    expect(longestWaitMs(minutes(10))).toBe(570_000);
    expect(longestWaitMs({ kind: "default" })).toBe(600_000);
    expect(longestWaitMs({ kind: "explicit", sendTimeoutMs: "12000" })).toBe(12_000);
    expect(longestWaitMs({ kind: "explicit", sendTimeoutMs: "99999999999" })).toBe(2 ** 31 - 1);
    expect(deadlineOf("99999999999")).toBe(2 ** 31 - 1);
  });
});
