/** One run as its settings say: with the service behind a credential, or with a scripted model for as long as it takes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cancellation } from "../harness/cancellation.ts";
import { runHarness } from "../harness/run.ts";
import type { HarnessObserver } from "../harness/settings.ts";
import type { RunSettings } from "../settings/run.ts";
import { inWorkspace } from "./fill-in.ts";
import { play, type Played } from "./play.ts";
import type { Rehearsal } from "./script.ts";
import { prepareWorkspace, type PreparedRehearsal } from "./workspace.ts";

/** A script that brings its own files gets its own workspace; any other plays in the given one. */
const prepare = async (rehearsal: Rehearsal, workspace: string): Promise<PreparedRehearsal> =>
  Object.keys(rehearsal.files).length > 0
    ? prepareWorkspace(rehearsal)
    : {
        directory: workspace,
        rehearsal: inWorkspace(rehearsal, workspace),
        remove: () => Promise.resolve(),
      };

export const runWithModel = async (
  { harness, source }: RunSettings,
  observer: HarnessObserver,
  cancellation?: Cancellation,
): Promise<Played> => {
  if (source.kind === "service") {
    const { credential } = source;
    return { result: await runHarness({ ...harness, credential }, observer, cancellation), verdicts: [] };
  }
  const { directory, rehearsal, remove } = await prepare(source.rehearsal, harness.workspace);
  const folder = await mkdtemp(join(harness.temporaryDirectory, "rehearsal-"));
  const { mcpServers } = rehearsal;
  const ownMcpConfig = join(folder, "mcp.json");
  await writeFile(ownMcpConfig, JSON.stringify({ mcpServers }));
  try {
    const { mcpConfigFile = ownMcpConfig } = harness;
    return await play(rehearsal, { ...harness, workspace: directory, mcpConfigFile }, observer, cancellation);
  } finally {
    await remove();
    await rm(folder, { recursive: true, force: true });
  }
};
