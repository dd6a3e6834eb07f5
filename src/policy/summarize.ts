/** A permission request in a few words, for one log line: never more than 200 characters, never a line break. */

const longest = 200;

const withFirstArgument = (tool: unknown, toolArguments: unknown): unknown => {
  const first = Object.values(toolArguments ?? {}).find((value) => typeof value === "string");
  return first === undefined ? tool : `${String(tool)} ${first}`;
};

const subjectOf = (request: Record<string, unknown>): unknown => {
  switch (request["kind"]) {
    case "shell":
      return request["fullCommandText"];
    case "read":
      return request["path"];
    case "write":
      return request["fileName"];
    case "url":
      return request["url"];
    case "mcp":
      return typeof request["serverName"] === "string"
        ? `${request["serverName"]}(${String(request["toolTitle"] ?? request["toolName"])})`
        : request["toolName"];
    default:
      return withFirstArgument(request["toolName"] ?? request["kind"], request["arguments"]);
  }
};

export const summarize = (request: unknown): string => {
  if (typeof request !== "object" || request === null) return "(not a request)";
  const subject = subjectOf(request as Record<string, unknown>);
  const text = (typeof subject === "string" ? subject : "(unnamed)").replace(/\s+/g, " ").trim();
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
};
