/** The sessions that the runtime remembers in a home of its own. */
import { homedir } from "node:os";
import { join } from "node:path";
import { failureFrom } from "../session/classify.ts";
import { listSessions } from "../session/sdk.ts";
import { readSurroundings } from "../settings/command-line.ts";
import { valueOf, type Environment } from "../settings/problems.ts";
import { parseArguments } from "./arguments.ts";
import { withRuntime } from "./inspect-runtime.ts";
import { visible } from "./visible.ts";

export const help = `Usage: copilot-driver sessions [--home <folder>] [--json]

Lists the sessions that the Copilot runtime remembers, newest first. The home is --home, COPILOT_HOME or ~/.copilot;
runs of copilot-driver itself have a home of their own, which ends with them, and leave their record in the runs folder.

Options:
  --home <folder>  The runtime's home to look into
  --json           Print them as one JSON array

Exit codes: 0 it worked, 1 the runtime refused, 2 wrong options.

Examples:
  copilot-driver sessions
  copilot-driver sessions --home ~/.copilot --json
`;

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values } = parseArguments({
    args,
    options: { home: { type: "string" }, json: { type: "boolean" } },
  });
  const home = values.home ?? valueOf(environment, "COPILOT_HOME") ?? join(homedir(), ".copilot");
  const sessions = await withRuntime(readSurroundings(environment), { home }, ({ sidecar, token }) =>
    listSessions({ uri: sidecar.uri, connectionToken: token }),
  ).catch((error: unknown) => {
    throw failureFrom(error);
  });
  sessions.sort((a, b) => (a.modifiedTime < b.modifiedTime ? 1 : -1));
  if (values.json) process.stdout.write(`${JSON.stringify(sessions)}\n`);
  else if (sessions.length === 0) process.stderr.write(`No sessions in ${home}.\n`);
  for (const { sessionId, modifiedTime, summary = "" } of values.json ? [] : sessions)
    process.stdout.write(`${sessionId}  ${modifiedTime}  ${visible(summary)}\n`);
  return 0;
};
