/** (policy, permission request, workspace) → decision. Total: whatever shape the request has, there is an answer. */

import { decideShell } from "./commands.ts";
import type { Segment } from "./commands.ts";
import { deny } from "./decision.ts";
import type { Decision } from "./decision.ts";
import { createLinks, decideFile, isFolder } from "./files.ts";
import type { Place, ResolveLinks } from "./files.ts";
import type { Policy, Rule } from "./rules.ts";
import { decideCustomTool, decideMcp } from "./tools.ts";
import { decideUrl } from "./urls.ts";

export type { Decision, ReasonCode } from "./decision.ts";
export { decideTool } from "./tools.ts";

type Request = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Request =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const field = (request: Request, key: string): unknown =>
  Object.hasOwn(request, key) ? request[key] : undefined;

const textField = (request: Request, key: string): string | undefined => {
  const value = field(request, key);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

const malformed = (what: string): Decision => deny("malformed-request", `The request has no usable ${what}.`);

/** Flags that ask for more than the tool call itself; anything but a plain absence or `false` counts as set. */
const protectedFlags = ["requestSandboxBypass", "requestSandboxPermissive", "managedApprovalRequired"];

const segmentsOf = (request: Request): Segment[] | undefined => {
  const value = field(request, "commandSegments");
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const segments = value.map((segment: unknown) => {
    if (!isRecord(segment)) return undefined;
    const identifier = textField(segment, "identifier");
    const text = textField(segment, "fullCommandText");
    return identifier === undefined ? undefined : { identifier, text: text ?? identifier };
  });
  return segments.every((segment) => segment !== undefined) ? segments : undefined;
};

const decideFileRequest = (
  rules: readonly Rule[],
  access: "read" | "write",
  request: Request,
  place: Place,
): Decision => {
  const path = textField(request, access === "read" ? "path" : "fileName");
  if (path === undefined) return malformed("path");
  const resolved = textField(request, "resolvedPath");
  const paths = resolved === undefined ? [path] : [path, resolved];
  return decideFile(rules, { access, paths, folder: place.workspace }, place);
};

const decideScoped = (rules: readonly Rule[], request: Request, place: Place): Decision => {
  const flag = protectedFlags.find(
    (name) => ![undefined, null, false].includes(field(request, name) as null),
  );
  if (flag !== undefined)
    return deny("protected-flag", `The request asks for \`${flag}\`, which is never approved.`, flag);
  const kind = field(request, "kind");
  switch (kind) {
    case "read":
    case "write":
      return decideFileRequest(rules, kind, request, place);
    case "url": {
      const url = textField(request, "url");
      return url === undefined ? malformed("URL") : decideUrl(rules, url);
    }
    case "custom-tool": {
      const tool = textField(request, "toolName");
      return tool === undefined ? malformed("tool name") : decideCustomTool(rules, tool);
    }
    case "mcp": {
      const server = textField(request, "serverName");
      const tool = textField(request, "toolName");
      if (server === undefined || tool === undefined) return malformed("server and tool name");
      return decideMcp(rules, server, tool, field(request, "toolTitle"));
    }
    case "shell": {
      const text = textField(request, "fullCommandText");
      const segments = segmentsOf(request);
      if (text === undefined || segments === undefined) return malformed("command text");
      const folder = textField(request, "resolvedWorkingDirectory") ?? place.workspace;
      const shell = field(request, "shellType") ?? "bash";
      return decideShell(rules, { text, segments, folder, isBash: shell === "bash" }, place);
    }
    default:
      return deny(
        "unknown-kind",
        "Requests of this kind are never approved.",
        typeof kind === "string" ? kind : undefined,
      );
  }
};

/** Whoever says where links lead does so because the files are not on this disk. */
const placeOf = (workspace: string, links: ResolveLinks | undefined): Place =>
  links === undefined
    ? { workspace, links: createLinks(), isFolder }
    : { workspace, links, isFolder: () => false };

export const decide = (
  policy: Policy,
  request: unknown,
  workspace: string,
  links?: ResolveLinks,
): Decision => {
  switch (policy.mode) {
    case "allow-all":
      return { decision: "approve", reason: "allow-all", message: "All tools are allowed." };
    case "default":
      return {
        decision: "default",
        reason: "no-policy",
        message: "No allow list: the runtime's own policy applies.",
      };
    case "scoped":
      try {
        return isRecord(request)
          ? decideScoped(policy.rules, request, placeOf(workspace, links))
          : malformed("form");
      } catch {
        return malformed("form");
      }
  }
};
