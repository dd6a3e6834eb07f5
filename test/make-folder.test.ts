import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../src/make-folder.ts";

let base: string;
beforeEach(() => (base = mkdtempSync(join(tmpdir(), "make-folder-"))));
afterEach(() => rmSync(base, { recursive: true, force: true }));

it("makes a folder with its parents, and leaves one alone that is there", () => {
  const folder = join(base, "a", "b", "c");
  makeFolder(folder, { mode: 0o700 });
  makeFolder(`${folder}/`);
  expect(statSync(folder).isDirectory()).toBe(true);
});

it.each(["/proc/nowhere", "/proc/nowhere/below", "/dev/null/below"])("gives up on %s", (folder) => {
  expect(() => makeFolder(folder)).toThrow(/ENOENT|EEXIST|ENOTDIR/);
});

it("gives up where a file is in the way", () => {
  writeFileSync(join(base, "file"), "");
  expect(() => makeFolder(join(base, "file", "below"))).toThrow(/ENOTDIR|EEXIST/);
});
