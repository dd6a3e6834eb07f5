import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepareWorkspace } from "../../src/rehearsal/workspace.ts";
import { rehearsalOf } from "../support/rehearse.ts";

describe("prepareWorkspace", () => {
  it("seeds a directory of its own and removes it with everything in it", async () => {
    const rehearsal = rehearsalOf(`
files: { a/b/c.txt: deep, top.txt: "" }
mcpServers: { one: { command: "{{workspace}}/run" } }
steps: [{ tool: view, with: { path: "{{workspace}}/top.txt" } }]
`);
    const prepared = await prepareWorkspace(rehearsal);
    const again = await prepareWorkspace(rehearsal);
    expect(again.directory).not.toBe(prepared.directory);
    expect(readFileSync(join(prepared.directory, "a/b/c.txt"), "utf8")).toBe("deep");
    expect(prepared.rehearsal.turns).toEqual([
      { toolCalls: [{ name: "view", arguments: { path: `${prepared.directory}/top.txt` } }] },
    ]);
    expect(prepared.rehearsal.mcpServers.one).toEqual({ command: `${prepared.directory}/run` });
    for (const { directory, remove } of [prepared, again]) {
      await remove();
      expect(existsSync(directory)).toBe(false);
    }
  });

  it("leaves nothing behind when a file cannot be written", async () => {
    const rehearsal = { ...rehearsalOf("steps: [{say: x}]"), files: { ["x".repeat(300)]: "" } };
    const failure = await prepareWorkspace(rehearsal).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
    expect(failure?.code).toBe("ENAMETOOLONG");
    expect(existsSync(dirname(failure?.path ?? "/"))).toBe(false);
  });
});
