/** A parsed rehearsal on the real runtime, under its own policy, through the SDK. */
import type { PermissionHandler, SessionConfig } from "@github/copilot-sdk";
import { decide } from "../../src/policy/decide.ts";
import { policyOf } from "../../src/policy/rules.ts";
import { startScriptedApi, type ScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import { describeMistakes, parseScript, type Rehearsal } from "../../src/rehearsal/script.ts";
import { prepareWorkspace } from "../../src/rehearsal/workspace.ts";
import type { Places } from "./normalise-events.ts";
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

export type Rehearsed = Observed & {
  rehearsal: Rehearsal;
  places: Places;
  requests: ScriptedApi["requests"];
};

export const rehearse = async (
  rehearsal: Rehearsal,
  session: Partial<SessionConfig> = {},
): Promise<Rehearsed> => {
  const prepared = await prepareWorkspace(rehearsal);
  const api = await startScriptedApi(prepared.rehearsal);
  const runtime = await startRuntime(api.environment);
  try {
    const observed = await runSession(runtime, {
      model: api.model,
      prompt: rehearsal.prompt,
      workingDirectory: prepared.directory,
      mcpServers: prepared.rehearsal.mcpServers as unknown as NonNullable<SessionConfig["mcpServers"]>,
      ...handlerOf(rehearsal.permissions, prepared.directory),
      ...session,
    });
    const places = {
      [prepared.directory]: "/workspace",
      [runtime.home]: "/home/agent",
      [api.url]: "http://127.0.0.1:1",
    };
    return { ...observed, rehearsal, places, requests: api.requests };
  } finally {
    await runtime.stop();
    await api.close();
    await prepared.remove();
  }
};
