import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCommandFiles } from "../../src/action/command-files.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "command-files-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the outputs of a step", () => {
  it("end at delimiters that no earlier output gives away", () => {
    const file = join(folder, "output");
    writeFileSync(file, "");
    const files = openCommandFiles({
      GITHUB_OUTPUT: file,
      GITHUB_STATE: undefined,
      GITHUB_STEP_SUMMARY: undefined,
      GITHUB_ENV: undefined,
      GITHUB_PATH: undefined,
    });
    for (const name of ["a", "b", "c"]) files.setOutput(name, "value");
    const delimiters = [...readFileSync(file, "utf8").matchAll(/<<(.+)$/gm)].map(([, text]) => text);
    expect(new Set(delimiters).size).toBe(3);
    for (const delimiter of delimiters) expect(delimiter).toMatch(/[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });
});
