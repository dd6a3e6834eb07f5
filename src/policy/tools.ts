/** MCP tools and custom tools, by every name under which the runtime may present them. */

import { approve, deny } from "./decision.ts";
import type { Decision } from "./decision.ts";
import type { Policy, Rule } from "./rules.ts";

/** How the runtime spells the names of servers and tools when it puts them together. */
const presented = (name: string): string => name.replace(/[^\w-]/g, "-");

const belongsTo = (server: string, tool: string): boolean => tool.startsWith(`${presented(server)}-`);

/** A title is free text, in which a server may put the name of another tool: it counts only if the name agrees. */
const namesOf = (server: string, tool: string, title: unknown): string[] => {
  const bare = belongsTo(server, tool) ? [tool.slice(server.length + 1)] : [];
  const titled = typeof title === "string" && [tool, ...bare].includes(presented(title)) ? [title] : [];
  return [tool, ...bare, ...titled];
};

const mcpRule = (rules: readonly Rule[], server: string, names: readonly string[]): Rule | undefined =>
  rules.find(
    (rule) =>
      (rule.kind === "server-or-tool" && rule.name === server) ||
      (rule.kind === "server-tool" &&
        rule.server === server &&
        [rule.tool, presented(rule.tool)].some((name) => names.includes(name))),
  );

export const decideMcp = (rules: readonly Rule[], server: string, tool: string, title: unknown): Decision => {
  const names = namesOf(server, tool, title);
  const rule = mcpRule(rules, server, names);
  if (rule !== undefined) return approve(rule.text);
  const part = `${server}(${names.at(-1)})`;
  const nearest = rules.find((candidate) => candidate.kind === "server-tool" && candidate.server === server);
  return deny("no-rule", `The MCP tool \`${part}\` is not on the allow list.`, part, nearest?.text);
};

export const decideCustomTool = (rules: readonly Rule[], tool: string): Decision => {
  const rule = rules.find((candidate) => candidate.kind === "server-or-tool" && candidate.name === tool);
  if (rule !== undefined) return approve(rule.text);
  return deny("no-rule", `The tool \`${tool}\` is not on the allow list.`, tool);
};

/**
 * The second barrier, before any tool runs: the runtime never asks about read-only MCP tools.
 * `default` means that the tool goes on to where permissions are asked for.
 */
export const decideTool = (
  policy: Policy,
  { toolName, mcpServers }: { readonly toolName: string; readonly mcpServers: readonly string[] },
): Decision => {
  if (policy.mode === "allow-all")
    return { decision: "approve", reason: "allow-all", message: "All tools are allowed." };
  const pass: Decision = {
    decision: "default",
    reason: "no-policy",
    message: "Permissions are asked for later.",
  };
  if (policy.mode === "default") return pass;
  const decisions = mcpServers
    .filter((server) => belongsTo(server, toolName))
    .map((server) => decideMcp(policy.rules, server, toolName, undefined));
  const refused = decisions.find(({ decision }) => decision === "deny");
  const approved = decisions.find(({ decision }) => decision === "approve");
  if (refused === undefined || approved === undefined) return refused ?? pass;
  const why = `\`${toolName}\` could also be \`${refused.part}\`, which is not on the allow list`;
  return deny("no-rule", `${why}: add it, or rename a server.`, refused.part, approved.rule);
};
