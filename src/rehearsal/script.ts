/** A rehearsal's YAML text → what to seed, what the model does, and what must come of it. docs/rehearsal.md shows the form. */
import { posix } from "node:path";
import { describeDiagnostic, isMistake } from "../policy/diagnose.ts";
import { parseRules } from "../policy/rules.ts";
import { defined } from "./defined.ts";
import { brokenPatterns } from "./fill-in.ts";
import type { Script, ToolCall, Turn } from "./turn.ts";
import {
  anything,
  checked,
  duration,
  flag,
  keysAt,
  listOf,
  mapped,
  object,
  oneOf,
  readYaml,
  recordOf,
  text,
  wholeNumber,
  type Mistake,
  type Reader,
} from "./yaml-reader.ts";

export type Rehearsal = Script & {
  name?: string;
  prompt: string;
  /** The policy under test; without it, the SDK's default, which denies. */
  permissions?: { allowAllTools: true } | { allowedTools: string[] };
  /** Path in the workspace → content. */
  files: Record<string, string>;
  mcpServers: Record<string, Record<string, unknown>>;
  exitCode?: number;
};

export type ParsedScript =
  { kind: "rehearsal"; rehearsal: Rehearsal } | { kind: "mistakes"; mistakes: Mistake[] };

const toolArguments: Reader<ToolCall["arguments"]> = (node, place) => {
  const value = anything(node, place);
  if (typeof value === "string" || value === undefined) return value;
  if (value && typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  place.complain(
    place.offset,
    `${place.name} must be a mapping of arguments, or text that is sent as it is.`,
  );
  return undefined;
};

const callShape = {
  tool: text,
  with: toolArguments,
  expect: oneOf("approved", "denied"),
  steps: ((node, place) => steps(node, place)) as Reader<Turn[]>,
};

type CallKeys = {
  tool: string;
  with?: ToolCall["arguments"];
  expect?: NonNullable<ToolCall["expect"]>;
  steps?: Turn[];
};

const toCall = ({ tool, with: args = {}, expect, steps: turns }: CallKeys): ToolCall =>
  defined<ToolCall>({ name: tool, arguments: args, expect, turns });

const objectionTo = ({ with: args, steps: turns }: Partial<CallKeys>): string | undefined => {
  const [broken] = brokenPatterns(args);
  if (broken !== undefined) return `has a “{{result /${broken}/}}” that is not a regular expression.`;
  const prompt = typeof args === "object" ? args.prompt : undefined;
  return turns && typeof prompt !== "string"
    ? "has “steps” for a sub-agent, but no “with.prompt” to know it by."
    : undefined;
};

const parallelCall = mapped(checked(object(callShape, "tool"), objectionTo), toCall);

const modelError = object(
  {
    status: wholeNumber(400, 599),
    code: text,
    message: text,
    retryAfter: wholeNumber(0),
    times: wholeNumber(1),
  },
  "status",
);

const usage = mapped(
  object({ input: wholeNumber(0), output: wholeNumber(0), cached: wholeNumber(0) }, "input", "output"),
  ({ input, output, cached }) =>
    defined<NonNullable<Turn["usage"]>>({ inputTokens: input, outputTokens: output, cachedTokens: cached }),
);

const stepKeys = object({
  say: text,
  reasoning: text,
  ...callShape,
  tools: listOf(parallelCall, 1),
  usage,
  finish: text,
  delay: duration,
  firstByte: duration,
  pieces: wholeNumber(1),
  pause: duration,
  error: modelError,
  hang: flag,
  cut: flag,
});

const step: Reader<Turn> = mapped(
  checked(stepKeys, (read) => {
    if (read.tool !== undefined && read.tools)
      return "has “tool” and “tools”: list every call under “tools”.";
    const orphan = (["with", "expect", "steps"] as const).find((key) => read[key] !== undefined);
    if (read.tool === undefined && orphan) return `has “${orphan}” but no “tool” that it belongs to.`;
    return objectionTo(read);
  }),
  (read) =>
    defined<Turn>({
      text: read.say,
      reasoning: read.reasoning,
      toolCalls: read.tool === undefined ? read.tools : [toCall({ ...read, tool: read.tool })],
      usage: read.usage,
      finishReason: read.finish,
      delayMs: read.delay,
      firstByteMs: read.firstByte,
      pieces: read.pieces,
      pauseMs: read.pause,
      error: read.error,
      hang: read.hang,
      cut: read.cut,
    }),
);

const steps: Reader<Turn[]> = listOf(step, 1);

const allowAll = mapped(oneOf("all"), () => ({ allowAllTools: true }) as const);

/** A run refuses an entry that does not do what it says: a policy under test must not pass with one. */
const entryFor =
  (mcpServers: readonly string[]): Reader<string> =>
  (node, place) => {
    const entry = text(node, place);
    const mistakes = parseRules([entry]).diagnostics.filter((found) => isMistake(found, mcpServers));
    for (const mistake of mistakes)
      place.complain(node?.range?.[0] ?? place.offset, `${place.name}: ${describeDiagnostic(mistake)}`);
    return entry;
  };

const allowFor =
  (mcpServers: readonly string[]): Reader<NonNullable<Rehearsal["permissions"]>> =>
  (node, place) =>
    node && "items" in node
      ? mapped(listOf(entryFor(mcpServers)), (allowedTools) => ({ allowedTools }))(node, place)
      : allowAll(node, { ...place, name: `${place.name}, if not a list of rules,` });

const outside = (path: string): string | undefined =>
  path === "" ||
  posix.isAbsolute(path) ||
  /[\\\0]|^[a-z]:/i.test(path) ||
  posix.normalize(path).startsWith("..")
    ? `“${path}” must be a path inside the workspace, with forward slashes.`
    : undefined;

/** A file cannot also be a folder. */
const overlap = (files: Record<string, string>): string | undefined => {
  const paths = Object.keys(files).map((path) => posix.normalize(path));
  const folder = paths.find((path) => paths.some((other) => other.startsWith(`${path}/`)));
  return folder === undefined ? undefined : `has “${folder}” as a file and as a folder.`;
};

const script = (mcpServers: readonly string[]) =>
  object(
    {
      name: text,
      prompt: text,
      model: text,
      allow: allowFor(mcpServers),
      files: checked(recordOf(text, outside), overlap),
      mcpServers: recordOf(recordOf(anything)),
      steps,
      exitCode: wholeNumber(0, 255),
    },
    "steps",
  );

export const parseScript = (source: string): ParsedScript => {
  const { value, mistakes } = readYaml(source, "The script", (node, place) =>
    script(keysAt(node, "mcpServers"))(node, place),
  );
  if (mistakes.length > 0 || !value) return { kind: "mistakes", mistakes };
  const { steps: turns, allow: permissions, prompt = "Do the work.", files = {}, mcpServers = {} } = value;
  const { name, model, exitCode } = value;
  return {
    kind: "rehearsal",
    rehearsal: defined<Rehearsal>({ name, model, permissions, exitCode, prompt, files, mcpServers, turns }),
  };
};

/** One line per mistake, in the form that editors and CI systems turn into links. */
export const describeMistakes = (file: string, mistakes: readonly Mistake[]): string =>
  mistakes.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n");
