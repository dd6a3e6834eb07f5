import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { Failure, messageOf } from "../errors.ts";
import type { OutputSchema } from "../settings/driver.ts";

/** The answer as data: asked for in the prompt, checked against the schema, repaired at most once. */
export type StructuredOutput = {
  ask: (prompt: string) => string;
  check: (answer: string) => { valid: true; value: unknown } | { valid: false; problems: string[] };
  askAgain: (problems: string[]) => string;
};

const mostProblems = 20;

/** Models like to wrap JSON in a fence, with a word before it. */
const candidatesIn = (answer: string): string[] => [
  answer,
  ...[...answer.matchAll(/```(?:json)?\s*\n([\s\S]*?)\n\s*```/g)].map((fence) => fence[1] ?? "").reverse(),
];

const parse = (answer: string): { value: unknown } | undefined => {
  for (const candidate of candidatesIn(answer)) {
    try {
      return { value: JSON.parse(candidate) as unknown };
    } catch {
      // The next candidate may parse.
    }
  }
  return undefined;
};

const tell = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || "the answer"} ${message ?? "is invalid"}${"additionalProperty" in params ? ` (${String(params["additionalProperty"])})` : ""}`;

export const compileSchema = (schema: OutputSchema["schema"], source: string): ValidateFunction => {
  try {
    return new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
  } catch (error) {
    throw new Failure("configuration", `${source} is not a valid JSON Schema: ${messageOf(error)}`);
  }
};

export const structureOutput = ({ file, schema }: OutputSchema): StructuredOutput => {
  const validate = compileSchema(schema, `COPILOT_SDK_OUTPUT_SCHEMA_FILE: ${file}`);
  const request = `Answer with one JSON value that is valid against this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;

  return {
    ask: (prompt) => `${prompt}\n\n${request}`,
    check: (answer) => {
      const parsed = parse(answer);
      if (!parsed) return { valid: false, problems: ["the answer is not JSON"] };
      if (validate(parsed.value)) return { valid: true, value: parsed.value };
      return { valid: false, problems: (validate.errors ?? []).slice(0, mostProblems).map(tell) };
    },
    askAgain: (problems) =>
      `Your answer does not fit the schema:\n${problems.map((problem) => `- ${problem}`).join("\n")}\n\n${request}`,
  };
};
