import { createOutputRing } from "../../src/harness/output-ring.ts";

describe("the output ring", () => {
  it("keeps a short output whole", () => {
    const ring = createOutputRing();
    ring.add("one\n");
    ring.add("two\n");
    expect(ring.text()).toBe("one\ntwo\n");
  });

  it("keeps the beginning and the end of a flood, and says what is missing", () => {
    const ring = createOutputRing();
    ring.add("first\n");
    for (let line = 0; line < 100_000; line += 1) ring.add(`line ${line}\n`);
    ring.add("last\n");
    const text = ring.text();
    expect(text.length).toBeLessThan(13_000);
    expect(text.startsWith("first\nline 0\n")).toBe(true);
    expect(text.endsWith("line 99999\nlast\n")).toBe(true);
    expect(text).toMatch(/… \d+ characters left out …/);
  });

  it("shows no part of a secret, wherever it is cut", () => {
    const secret = "0918273645102938475607";
    for (let shift = 0; shift < secret.length; shift += 1) {
      const ring = createOutputRing([secret]);
      ring.add("-".repeat(shift));
      for (let count = 0; count < 1_000; count += 1) ring.add(secret);
      expect(ring.text()).toContain("[redacted][redacted]");
      expect(ring.text().replace(/… \d+ characters left out …/, "")).not.toMatch(/\d/);
    }
  });
});
