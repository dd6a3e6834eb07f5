import { split } from "../../src/rehearsal/dialect.ts";

describe("split", () => {
  it("never cuts a character in half, and loses nothing", () => {
    for (let pieces = 1; pieces < 9; pieces++) {
      const parts = split("a👋b👩‍🚀c", pieces);
      expect(parts.length).toBeLessThanOrEqual(pieces);
      expect(parts.join("")).toBe("a👋b👩‍🚀c");
      for (const part of parts) expect(Buffer.from(part).toString()).toBe(part);
    }
  });

  it("makes no piece of nothing, and one of each character at most", () => {
    expect(split("", 3)).toEqual([]);
    expect(split("abc", 100)).toEqual(["a", "b", "c"]);
  });
});
