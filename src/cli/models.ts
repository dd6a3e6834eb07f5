/** The models that the caller's credential may use. */
import { Failure } from "../errors.ts";
import { failureFrom } from "../session/classify.ts";
import { listModels } from "../session/sdk.ts";
import { readSurroundings } from "../settings/command-line.ts";
import type { Environment } from "../settings/problems.ts";
import { parseArguments } from "./arguments.ts";
import { findCredential } from "./find-credential.ts";
import { withRuntime } from "./inspect-runtime.ts";
import { visible } from "./visible.ts";

export const help = `Usage: copilot-driver models [--json]

Lists the models that your Copilot credential may use, one per line: the name to give as --model, and its title.

Options:
  --json  Print them as one JSON array

Exit codes: 0 it worked, 1 the runtime or the service refused, 2 wrong options or no credential.

Examples:
  copilot-driver models
  copilot-driver models --json | jq -r '.[].id'
`;

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values } = parseArguments({
    args,
    options: { json: { type: "boolean" } },
  });
  const found = await findCredential(environment);
  if (found === undefined)
    throw new Failure(
      "configuration",
      "There is no credential: set COPILOT_GITHUB_TOKEN or log in with `gh auth login`.",
    );
  const models = await withRuntime(
    readSurroundings(environment),
    { credential: found.token },
    ({ sidecar, token }) => listModels({ uri: sidecar.uri, connectionToken: token }),
  ).catch((error: unknown) => {
    throw failureFrom(error);
  });
  const width = Math.max(0, ...models.map(({ id }) => id.length));
  const text = models.map(({ id, name }) => `${visible(id).padEnd(width)}  ${visible(name)}\n`).join("");
  process.stdout.write(values.json ? `${JSON.stringify(models)}\n` : text);
  return 0;
};
