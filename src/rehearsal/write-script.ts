/** A rehearsal as YAML text: what `parseScript` reads. Keys without a value are left out. */
import { stringify } from "yaml";
import type { Rehearsal } from "./script.ts";
import type { ToolCall, Turn } from "./turn.ts";

const unlessEmpty = <T extends object>(value: T | string): T | string | undefined =>
  typeof value === "object" && Object.keys(value).length === 0 ? undefined : value;

const callOf = ({ name, arguments: args, expect, turns }: ToolCall): object => ({
  tool: name,
  with: unlessEmpty(args),
  expect,
  steps: turns?.map(stepOf),
});

const callsOf = (calls: readonly ToolCall[] = []): object => {
  const [only] = calls;
  if (!only) return {};
  return calls.length === 1 ? callOf(only) : { tools: calls.map(callOf) };
};

const time = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : `${ms}ms`);

const usageOf = ({ inputTokens, outputTokens, cachedTokens }: NonNullable<Turn["usage"]>): object => ({
  input: inputTokens,
  output: outputTokens,
  cached: cachedTokens,
});

const stepOf = (turn: Turn): object => ({
  error: turn.error,
  reasoning: turn.reasoning,
  say: turn.text,
  ...callsOf(turn.toolCalls),
  usage: turn.usage && usageOf(turn.usage),
  finish: turn.finishReason,
  delay: time(turn.delayMs),
  firstByte: time(turn.firstByteMs),
  pieces: turn.pieces,
  pause: time(turn.pauseMs),
  hang: turn.hang,
  cut: turn.cut,
});

const allowOf = (permissions: NonNullable<Rehearsal["permissions"]>): "all" | string[] =>
  "allowAllTools" in permissions ? "all" : permissions.allowedTools;

export const writeScript = ({ permissions, files, mcpServers, turns, ...rest }: Rehearsal): string =>
  stringify(
    {
      name: rest.name,
      prompt: rest.prompt,
      model: rest.model,
      allow: permissions && allowOf(permissions),
      files: unlessEmpty(files),
      mcpServers: unlessEmpty(mcpServers),
      steps: turns.map(stepOf),
      exitCode: rest.exitCode,
    },
    // Repeated objects would otherwise become aliases, which scripts do not have.
    { aliasDuplicateObjects: false, lineWidth: 110 },
  );
