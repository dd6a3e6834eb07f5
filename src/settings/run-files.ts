/** Options that are files, or become files for the driver. */
import { statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder } from "../make-folder.ts";
import { parseMcpServers, type McpServers } from "./mcp-servers.ts";
import type { OptionReader } from "./option-values.ts";
import type { OptionName } from "./options.ts";
import { isRecord, parseJson, type Problems } from "./problems.ts";
import type { RunContext } from "./run-context.ts";
import { readTextFile } from "./text-file.ts";

const mebibyte = 1024 * 1024;
/** More than any model's context window holds. */
const longestPrompt = 8 * mebibyte;

const exactlyOne = (
  options: OptionReader,
  names: readonly [OptionName, OptionName],
  problems: Problems,
): void => {
  const given = names.filter((name) => options.isGiven(name));
  if (given.length === 2) problems.add(`give ${names[0]} or ${names[1]}, not both`);
};

export const readOptionFile = (
  name: OptionName,
  file: string,
  context: RunContext,
  problems: Problems,
): string | undefined => readTextFile(name, resolve(context.workspace, file), problems);

export const promptOf = (
  options: OptionReader,
  fromScript: string | undefined,
  context: RunContext,
  problems: Problems,
): string => {
  exactlyOne(options, ["prompt", "prompt-file"], problems);
  const file = options.text("prompt-file");
  const prompt =
    options.text("prompt") ??
    (file === undefined ? fromScript : readOptionFile("prompt-file", file, context, problems));
  // A script that cannot be read has been told already; it would have had a prompt.
  if (prompt === undefined && file === undefined && !options.isGiven("rehearsal"))
    problems.add("prompt: nothing is asked; give prompt or prompt-file");
  if (prompt !== undefined && Buffer.byteLength(prompt) > longestPrompt)
    problems.add(
      `${file === undefined ? "prompt" : "prompt-file"}: ${Math.ceil(Buffer.byteLength(prompt) / mebibyte)} MiB is more than the ${longestPrompt / mebibyte} MiB that a prompt may have; leave the data in a file and ask the agent to read it`,
    );
  return prompt ?? "";
};

export const mcpConfigOf = (
  options: OptionReader,
  context: RunContext,
  problems: Problems,
): { text: string; servers: McpServers } | undefined => {
  const given = options.text("mcp-config");
  if (given === undefined) return undefined;
  const inline = given.startsWith("{");
  const text = inline ? given : readOptionFile("mcp-config", given, context, problems);
  if (text === undefined) return undefined;
  return { text, servers: parseMcpServers(text, inline ? "mcp-config" : `mcp-config: ${given}`, problems) };
};

const knownDialect = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

export const schemaOf = async (
  options: OptionReader,
  context: RunContext,
  problems: Problems,
): Promise<string | undefined> => {
  exactlyOne(options, ["output-schema", "output-schema-file"], problems);
  const file = options.text("output-schema-file");
  const text =
    options.text("output-schema") ??
    (file === undefined ? undefined : readOptionFile("output-schema-file", file, context, problems));
  if (text === undefined) return undefined;
  const name = file === undefined ? "output-schema" : `output-schema-file: ${file}`;
  const schema = parseJson(text, name, problems);
  if (schema === undefined) return undefined;
  if (!isRecord(schema) && typeof schema !== "boolean") {
    problems.add(`${name} is not a valid JSON Schema: it must be an object`);
    return undefined;
  }
  const dialect = isRecord(schema) ? schema["$schema"] : undefined;
  if (dialect !== undefined && !(typeof dialect === "string" && knownDialect.test(dialect))) {
    problems.add(
      `${name}: only JSON Schema 2020-12 is known here, not ${JSON.stringify(dialect)}; change or remove $schema`,
    );
    return undefined;
  }
  const { compileSchema } = await import("../session/structured-output.ts");
  problems.check(() => void compileSchema(schema, name));
  return text;
};

export const executableOf = (
  name: "driver" | "runtime-path",
  options: OptionReader,
  context: RunContext,
  problems: Problems,
): string | undefined => {
  const given = options.text(name);
  if (given === undefined) return undefined;
  const path = resolve(context.workspace, given);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) problems.add(`${name}: ${path} is not a file`);
  return path;
};

/** The driver reads these from files. */
export const optionFiles = { mcpConfig: "mcp.json", outputSchema: "schema.json" } as const;

export const placeFile = (
  context: RunContext,
  name: (typeof optionFiles)[keyof typeof optionFiles],
  text: string | undefined,
): string | undefined => {
  if (text === undefined) return undefined;
  const path = join(context.folder, name);
  makeFolder(context.folder, { mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};
