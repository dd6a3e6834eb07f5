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
});
