/** Without a handler the runtime denies without asking: what it would have asked follows from the tool and its arguments. */
import { fieldsOf, textOf, type Fields } from "./reading.ts";

const askFor: Readonly<Record<string, (args: Fields) => Fields>> = {
  bash: ({ command }) => ({ kind: "shell", fullCommandText: command }),
  view: ({ path }) => ({ kind: "read", path }),
  grep: ({ path }) => ({ kind: "read", path: path ?? "." }),
  glob: ({ path }) => ({ kind: "read", path: path ?? "." }),
  create: ({ path }) => ({ kind: "write", fileName: path }),
  edit: ({ path }) => ({ kind: "write", fileName: path }),
  web_fetch: ({ url }) => ({ kind: "url", url }),
};

/** Empty for a tool whose request cannot be told. */
export const impliedRequest = (start: Fields): Fields => {
  const { toolName, mcpServerName, mcpToolName } = start;
  const server = textOf(mcpServerName);
  if (server !== undefined)
    return { kind: "mcp", serverName: server, toolName: textOf(mcpToolName) ?? toolName };
  const name = textOf(toolName) ?? "";
  const ask = Object.hasOwn(askFor, name) ? askFor[name] : undefined;
  return ask ? ask(fieldsOf(start.arguments)) : {};
};
