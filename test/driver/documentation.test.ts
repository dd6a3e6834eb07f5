import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../support/compiled.ts";

it("docs/driver.md names every variable that the driver reads, and no other", () => {
  const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
  const sources = ["driver", "permissions", "provider"]
    .map((name) => read(`src/settings/${name}.ts`))
    .join("\n");
  const names = (text: string) => [...new Set(text.match(/\b(?:GH_AW|COPILOT|GITHUB)_[A-Z_]+\b/g))].sort();
  const forbidden = ["COPILOT_GITHUB_TOKEN", "GITHUB_TOKEN"];
  expect(names(read("docs/driver.md")).filter((name) => !forbidden.includes(name))).toEqual(names(sources));
});
