/** A parsed rehearsal on the real runtime, under its own policy, through the SDK. */
import type { PermissionHandler, SessionConfig } from "@github/copilot-sdk";
import { decide } from "../../src/policy/decide.ts";
import { policyOf } from "../../src/policy/rules.ts";
import type { Exchange } from "../../src/rehearsal/recorder.ts";
import { startScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import { describeMistakes, parseScript, type Rehearsal } from "../../src/rehearsal/script.ts";
import { prepareWorkspace } from "../../src/rehearsal/workspace.ts";
import { comparable, type Places } from "./normalise-events.ts";
import { startRecordingProxy } from "../../src/rehearsal/recording-proxy.ts";
import { runSession, startRuntime, type Observed } from "./runtime.ts";

export const rehearsalOf = (source: string): Rehearsal => {
  const parsed = parseScript(source);
  if (parsed.kind === "mistakes") throw new Error(describeMistakes("script.yml", parsed.mistakes));
  return parsed.rehearsal;
};

const handlerOf = (
  permissions: Rehearsal["permissions"],
  workspace: string,
): { onPermissionRequest?: PermissionHandler } => {
  if (!permissions) return {};
  const { policy } = policyOf(permissions);
  return {
    onPermissionRequest: (request) => {
      const { decision, message } = decide(policy, request, workspace);
      return decision === "approve" ? { kind: "approve-once" } : { kind: "reject", feedback: message };
    },
  };
};

export type Rehearsed = Observed & { workspace: string; places: Places; exchanges: Exchange[] };

/** The model calls pass through a recording proxy on their way. */
export const rehearse = async (rehearsal: Rehearsal): Promise<Rehearsed> => {
  const prepared = await prepareWorkspace(rehearsal);
  const api = await startScriptedApi(prepared.rehearsal);
  const proxy = await startRecordingProxy(api.url);
  const runtime = await startRuntime({
    ...api.environment,
    COPILOT_API_URL: proxy.url,
    COPILOT_DEBUG_GITHUB_API_URL: proxy.url,
  });
  try {
    const observed = await runSession(runtime, {
      model: api.model,
      prompt: rehearsal.prompt,
      workingDirectory: prepared.directory,
      mcpServers: prepared.rehearsal.mcpServers as unknown as NonNullable<SessionConfig["mcpServers"]>,
      ...handlerOf(rehearsal.permissions, prepared.directory),
    });
    const places = { [prepared.directory]: "/workspace", [runtime.home]: "/home/agent" };
    return { ...observed, workspace: prepared.directory, places, exchanges: proxy.exchanges };
  } finally {
    await runtime.stop();
    await proxy.close();
    await api.close();
    await prepared.remove();
  }
};

/** What a driver would have written to its event log, without what differs between two runs. */
export const comparableLog = ({ events, places }: Rehearsed): Record<string, unknown>[] =>
  comparable(
    events.filter(({ ephemeral }) => ephemeral !== true),
    places,
  );
