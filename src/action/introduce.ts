/** What the log says before the agent starts: what it may do, with what, and for how long. */
import type { ActionWorld } from "../settings/action.ts";
import type { RunSettings } from "../settings/run.ts";
import { version } from "../version.ts";
import type { WorkflowLog } from "./workflow-log.ts";

const policyTitle = ({ policy }: RunSettings): string => {
  switch (policy.mode) {
    case "allow-all":
      return "The agent may do everything (allow-all-tools)";
    case "default":
      return "The agent may do nothing: the allow list is empty";
    case "scoped":
      return `The agent may do what ${policy.rules.length === 1 ? "one rule allows" : `${policy.rules.length} rules allow`}`;
  }
};

const modelText = ({ source, harness }: RunSettings): string => {
  if (source.kind === "rehearsal")
    return `a script plays the model (${source.rehearsal.name ?? "rehearsal"})`;
  return source.credential.kind === "provider"
    ? `${harness.model} at ${new URL(source.credential.provider.baseUrl).host}`
    : harness.model;
};

const workplaceOf = ({ source, harness }: RunSettings): string =>
  source.kind === "rehearsal" && Object.keys(source.rehearsal.files).length > 0
    ? "a throwaway folder with the script's files"
    : harness.workspace;

const listText = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

export const introduce = (settings: RunSettings, { event }: ActionWorld, log: WorkflowLog): void => {
  const { harness, policy, remarks, mcpServers } = settings;
  const { timeLimit } = harness;
  log.say(`copilot-driver ${version}`);
  log.group(policyTitle(settings));
  if (policy.mode === "scoped") for (const { text } of policy.rules) log.say(`  ${text}`);
  for (const { message } of remarks) log.say(`  ⚠ ${message}`);
  log.say(`model: ${modelText(settings)}`);
  log.say(`works in: ${workplaceOf(settings)}`);
  log.say(
    `the repository's instructions: ${harness.customInstructions ? "followed" : `not followed (${event.codeIsTrusted ? "custom-instructions" : `event ${event.name}`})`}`,
  );
  log.say(`MCP servers: ${listText(Object.keys(mcpServers))}`);
  log.say(`environment variables that you pass on: ${listText(harness.agentEnvironment ?? [])}`);
  if (timeLimit.kind === "minutes") log.say(`time: at most ${timeLimit.minutes} minutes`);
  log.endGroup();
};
