import { isRecord, isStringArray, parseJson, valueOf, type Environment, type Problems } from "./problems.ts";

/** The specification's permission configuration (5.1). Absent means: defer to the SDK's default policy. */
export type PermissionConfig = { allowAllTools?: boolean; allowedTools?: string[] };

const own = "COPILOT_SDK_PERMISSIONS";
const toolConfig = "GH_AW_COPILOT_SDK_TOOL_CONFIG";
const serverArguments = "GH_AW_COPILOT_SDK_SERVER_ARGS";

const fromOwn = (parsed: unknown, problems: Problems): PermissionConfig | undefined => {
  const { allowAllTools, allowedTools, ...unknownKeys } = isRecord(parsed) ? parsed : { unknown: parsed };
  const valid =
    Object.keys(unknownKeys).length === 0 &&
    (allowAllTools === undefined || typeof allowAllTools === "boolean") &&
    (allowedTools === undefined || isStringArray(allowedTools));
  if (!valid) {
    problems.add(`${own} must be {"allowAllTools"?: boolean, "allowedTools"?: string[]}`);
    return undefined;
  }
  return {
    ...(allowAllTools !== undefined && { allowAllTools }),
    ...(allowedTools !== undefined && { allowedTools }),
  };
};

const fromToolConfig = (parsed: unknown, problems: Problems): PermissionConfig | undefined => {
  const permissions = isRecord(parsed) ? parsed["permissions"] : undefined;
  const allowedTools = isRecord(permissions) ? permissions["allowedTools"] : undefined;
  if (isStringArray(allowedTools)) return { allowedTools };
  problems.add(`${toolConfig} must hold permissions.allowedTools, an array of strings`);
  return undefined;
};

const fromServerArguments = (parsed: unknown, problems: Problems): PermissionConfig | undefined => {
  if (!isStringArray(parsed)) {
    problems.add(`${serverArguments} must be a JSON array of strings`);
    return undefined;
  }
  const allowedTools: string[] = [];
  for (let index = 0; index < parsed.length; index++) {
    const [flag, inline] = (parsed[index] ?? "").split(/=(.*)/s);
    if (flag === "--allow-all-tools") return { allowAllTools: true };
    if (flag === "--deny-tool") {
      problems.add(
        `${serverArguments} holds --deny-tool, which a driver cannot honour: list what is allowed instead`,
      );
      return undefined;
    }
    if (flag !== "--allow-tool") continue;
    const tool = inline ?? parsed[++index];
    if (tool === undefined) {
      problems.add(`${serverArguments} ends with --allow-tool and no tool after it`);
      return undefined;
    }
    allowedTools.push(tool);
  }
  return { allowedTools };
};

const carriers = [
  [own, fromOwn],
  [toolConfig, fromToolConfig],
  [serverArguments, fromServerArguments],
] as const;

/** The first carrier that is set counts; one that is set but malformed is an error, never a wider policy. */
export const readPermissions = (
  environment: Environment,
  problems: Problems,
): PermissionConfig | undefined => {
  for (const [name, read] of carriers) {
    const text = valueOf(environment, name);
    if (text === undefined) continue;
    const parsed = parseJson(text, name, problems);
    return parsed === undefined ? undefined : read(parsed, problems);
  }
  return undefined;
};
