/** The driver on a runtime that already runs, beside the least that a script can be. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedApi } from "../src/rehearsal/scripted-api.ts";
import { projectRoot } from "../test/support/compiled.ts";
import { startRuntime } from "../test/support/runtime.ts";
import { interleaved, millisecondsOf, ratioOf, rowOf, type Row } from "./measure.ts";

export const benchDriverAlone = async (rounds = 15): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-driver-"));
  const prompt = join(folder, "prompt.txt");
  writeFileSync(prompt, "Do what the script says.");
  const command = { command: "echo $((6*7))", description: "x", mode: "sync" };
  const api = await startScriptedApi({
    turns: [{ toolCalls: [{ name: "bash", arguments: command }] }, { text: "The answer is 42." }],
  });
  const runtime = await startRuntime(api.environment);
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    TMPDIR: folder,
    GH_AW_PROMPT: prompt,
    COPILOT_SDK_URI: runtime.uri,
    COPILOT_CONNECTION_TOKEN: runtime.token,
    COPILOT_MODEL: api.model,
    COPILOT_SDK_PERMISSIONS: '{"allowAllTools":true}',
  };
  const run = (file: string) => () =>
    millisecondsOf(process.execPath, [join(projectRoot, file)], { env, cwd: runtime.workspace });
  try {
    const { ours, minimal } = await interleaved(rounds, {
      ours: run("dist/driver.js"),
      minimal: run("bench/minimal-client.mjs"),
    });
    return [
      rowOf("driver alone: ours", ours),
      rowOf("driver alone: minimal script", minimal),
      ratioOf("driver alone: ours / minimal script", ours, minimal, 1.1),
    ];
  } finally {
    await runtime.stop();
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
