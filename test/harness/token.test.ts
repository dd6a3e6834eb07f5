import { createConnectionToken } from "../../src/harness/token.ts";

describe("the connection token", () => {
  it("has 256 bits, differs from run to run and is masked before it is used", () => {
    const masked: string[] = [];
    const tokens = Array.from({ length: 100 }, () => createConnectionToken((secret) => masked.push(secret)));
    expect(masked).toEqual(tokens);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
  });
});
