import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { driverFile, spawnDriver, startWorld, type World } from "../support/driver.ts";
import { nodes } from "../support/nodes.ts";
import { ended } from "../support/ordinary-user.ts";

let world: World;
let folder: string;
beforeAll(async () => {
  world = await startWorld([{ text: "The answer." }]);
  folder = mkdtempSync(join(tmpdir(), "alone-"));
  copyFileSync(driverFile, join(folder, "driver.js"));
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

describe.each(nodes)("dist/driver.js copied alone, on %s", (_, node) => {
  it.each([
    ["into an empty folder", undefined],
    ["into an ESM package", '{ "type": "module" }'],
  ])("%s, runs", async (_where, manifest) => {
    if (manifest) writeFileSync(join(folder, "package.json"), manifest);
    const environment = { ...world.environment, GH_AW_SESSION_STATE_BASE_DIR: join(folder, "events") };
    const { status, stdout, stderr } = await ended(spawnDriver(environment, node, join(folder, "driver.js")));
    expect({ status, stdout }).toEqual({ status: 0, stdout: "The answer.\n" });
    expect(stderr).not.toMatch(/warning/i);
  });
});
