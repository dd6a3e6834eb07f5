/** Every option of a run as data: action.yml, the README's tables, the Action's inputs and the command line's options come from here. */
import { logLevels } from "../log.ts";
import { providerTypes, wireApis } from "../harness/credentials.ts";

export type OptionValue =
  | { readonly kind: "text" | "secret" | "file" | "directory" | "flag" }
  /** One per line. */
  | { readonly kind: "lines"; readonly of: string }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "number"; readonly whole: boolean; readonly least: number; readonly most?: number };

export type Option = {
  readonly description: string;
  readonly value: OptionValue;
  readonly default?: string;
  /** The default is ours to fill in, not the runner's: we must know whether somebody gave the option. */
  readonly ownDefault?: true;
  /** Has a meaning only where a workflow runs. */
  readonly actionOnly?: true;
};

const text: OptionValue = { kind: "text" };
const secret: OptionValue = { kind: "secret" };
const file: OptionValue = { kind: "file" };
const flag: OptionValue = { kind: "flag" };
const choice = (...values: readonly string[]): OptionValue => ({ kind: "choice", values });
const lines = (of: string): OptionValue => ({ kind: "lines", of });
const number = (least: number, most?: number): OptionValue => ({
  kind: "number",
  whole: false,
  least,
  ...(most !== undefined && { most }),
});
const count = (least: number, most?: number): OptionValue => ({
  kind: "number",
  whole: true,
  least,
  ...(most !== undefined && { most }),
});

export const instructionModes = ["auto", "true", "false"] as const;
export const writeAccessModes = ["auto", "true", "skip", "false"] as const;
export type WriteAccessMode = (typeof writeAccessModes)[number];

/** Twenty-four days: longer than any job, shorter than a timer can count. */
const mostMinutes = 35_000;

const table = {
  prompt: {
    description: "What the agent shall do. Give this or `prompt-file`.",
    value: text,
  },
  "prompt-file": {
    description: "A file that holds the prompt, for long prompts. Give this or `prompt`.",
    value: file,
  },
  model: {
    description: "The model's name, or `auto` to let Copilot choose. A provider of your own needs a name.",
    value: text,
    default: "auto",
  },
  "github-token": {
    description:
      "The credential for Copilot: the job's token with `copilot-requests: write`, or a fine-grained token with the “Copilot Requests” permission.",
    value: secret,
    default: "${{ github.token }}",
  },
  "allowed-tools": {
    description:
      "What the agent may do, one rule per line: `read`, `write`, `shell(git status)`, `shell(npm test:*)`, `web_fetch(example.com)`, an MCP server's name.",
    value: lines("rules"),
    default: "read",
    ownDefault: true,
  },
  "allow-all-tools": {
    description: "Allow everything. Only for prompts and code that you trust as much as your own shell.",
    value: flag,
    default: "false",
  },
  "provider-base-url": {
    description: "The address of a model provider of your own (BYOK) in place of Copilot's models.",
    value: text,
  },
  "provider-type": {
    description: "What the provider speaks.",
    value: choice(...providerTypes),
    default: "openai",
    ownDefault: true,
  },
  "provider-api-key": {
    description: "The provider's key. It stays in this step: neither the agent nor its tools hold it.",
    value: secret,
  },
  "provider-wire-api": {
    description: "Which of OpenAI's APIs the provider offers.",
    value: choice(...wireApis),
  },
  "mcp-config": {
    description:
      'MCP servers: JSON of the form `{"mcpServers": {"name": {"command": "…"}}}`, or a file that holds it.',
    value: text,
  },
  "reasoning-effort": {
    description: "How hard the model thinks, one word that the model knows, such as `low` or `high`.",
    value: text,
  },
  "custom-instructions": {
    description:
      "Let the checked-out code instruct the agent (`AGENTS.md`, `.github/copilot-instructions.md`, …). `auto`: only on events where that code is trusted.",
    value: choice(...instructionModes),
    default: "auto",
  },
  "working-directory": {
    description: "Where the agent works, inside the workspace. Default: the workspace itself.",
    value: { kind: "directory" },
  },
  "timeout-minutes": {
    description:
      "The step's time in minutes, of which half a minute is kept for clean-up. Keep it below the job's own limit.",
    value: number(0.5, mostMinutes),
    default: "20",
  },
  "stall-timeout-minutes": {
    description: "End the run when nothing happens for so many minutes; `0` turns this off.",
    value: number(0, mostMinutes),
    default: "5",
  },
  "max-tool-denials": {
    description: "End the run after so many denied requests. Without it, denials do not end a run.",
    value: count(1),
  },
  "max-ai-credits": {
    description: "The budget of the session in AI credits. Without it, the account's own limits hold.",
    value: number(0.000001),
  },
  retries: {
    description: "How often to start again after a passing failure, while the agent has done nothing yet.",
    value: count(0, 10),
    default: "2",
  },
  "agent-env": {
    description:
      "Names of environment variables that the agent's shells and MCP servers get, one per line. Everything else that is not a system setting stays out.",
    value: lines("names"),
  },
  "output-schema": {
    description: "A JSON schema (draft 2020-12) that the answer must satisfy. Sets `structured-output`.",
    value: text,
  },
  "output-schema-file": {
    description: "A file that holds the JSON schema. Give this or `output-schema`.",
    value: file,
  },
  "fail-on-denied": {
    description: "Fail if anything was denied, even if the agent found another way.",
    value: flag,
    default: "false",
  },
  "fail-on-empty": {
    description: "Fail if the agent ends without an answer.",
    value: flag,
    default: "true",
  },
  "require-write-access": {
    description:
      "Whether whoever caused the event must have write access. `auto`: on events that outsiders can trigger; `true`: always; `skip`: as `auto`, but the step is skipped instead of failing; `false`: never.",
    value: choice(...writeAccessModes),
    default: "auto",
    actionOnly: true,
  },
  "allowed-actors": {
    description: "Accounts that need no write access, one per line, for example `dependabot[bot]`.",
    value: lines("accounts"),
    actionOnly: true,
  },
  "actor-check-token": {
    description: "The token that asks the API about write access. Leave it as it is.",
    value: secret,
    default: "${{ github.token }}",
    actionOnly: true,
  },
  "runtime-path": {
    description: "A Copilot runtime of your own. Default: the pinned one, installed once per machine.",
    value: file,
  },
  driver: {
    description: "Another executable that conforms to the Copilot SDK Driver Specification.",
    value: file,
  },
  rehearsal: {
    description:
      "A script that plays the model, so that a workflow can be tried without an account; `default` plays a built-in one.",
    value: file,
  },
  report: {
    description: "Write the report of the run as one HTML file (`report-file`).",
    value: flag,
    default: "true",
  },
  "log-level": {
    description: "How much to log.",
    value: choice(...logLevels),
    default: "info",
    ownDefault: true,
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof table;

export const options: Readonly<Record<OptionName, Option>> = table;

export const optionNames = Object.keys(table) as OptionName[];

/** What a person may write, in a few words. */
export const allowedValues = (value: OptionValue): string => {
  switch (value.kind) {
    case "flag":
      return "true, false";
    case "choice":
      return value.values.join(", ");
    case "lines":
      return `${value.of}, one per line`;
    case "number": {
      const what = value.whole ? "a whole number" : "a number";
      return value.most === undefined
        ? `${what} from ${value.least}`
        : `${what} from ${value.least} to ${value.most}`;
    }
    case "text":
    case "secret":
      return "text";
    case "file":
      return "a file's path";
    case "directory":
      return "a directory's path";
  }
};
