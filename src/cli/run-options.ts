/** The options of a run on the command line: the same table as the Action's inputs. */
import type { ParseArgsConfig } from "node:util";
import type { RawOptions } from "../settings/option-values.ts";
import { isStringArray } from "../settings/problems.ts";
import { allowedValues, optionNames, options, type OptionName } from "../settings/options.ts";

type ArgumentOptions = NonNullable<ParseArgsConfig["options"]>;

const offered = optionNames.filter((name) => name !== "prompt" && !("actionOnly" in options[name]));

const shortNames: Partial<Record<OptionName, string>> = {
  "prompt-file": "f",
  model: "m",
  "allowed-tools": "a",
};

const argumentOf = (name: OptionName): ArgumentOptions[string] => {
  const short = shortNames[name];
  return {
    type: options[name].value.kind === "flag" ? "boolean" : "string",
    ...(options[name].value.kind === "lines" && { multiple: true }),
    ...(short !== undefined && { short }),
  };
};

/** Flags that are on by default are turned off with --no-<name>. */
const isOnByDefault = (name: OptionName): boolean =>
  options[name].default === "true" && options[name].value.kind === "flag";

/** `--allow` is what every other command calls an entry of the allow list. */
export const runArguments: ArgumentOptions = {
  allow: { type: "string", multiple: true },
  ...Object.fromEntries(
    offered.flatMap((name): [string, ArgumentOptions[string]][] => [
      [name, argumentOf(name)],
      ...(isOnByDefault(name)
        ? [[`no-${name}`, { type: "boolean" }] satisfies [string, ArgumentOptions[string]]]
        : []),
    ]),
  ),
};

const givenFor = (name: OptionName, values: Readonly<Record<string, unknown>>): unknown => {
  const [value, allow] = [values[name], values["allow"]];
  return name === "allowed-tools" && isStringArray(allow)
    ? [...allow, ...(isStringArray(value) ? value : [])]
    : value;
};

export const rawOptionsOf = (values: Readonly<Record<string, unknown>>): RawOptions =>
  Object.fromEntries(
    offered.flatMap((name) => {
      if (values[`no-${name}`] === true) return [[name, "false"]];
      const value = givenFor(name, values);
      if (value === undefined) return [];
      return [[name, isStringArray(value) ? value.join("\n") : value === true ? "true" : (value as string)]];
    }),
  );

const wrap = (text: string, width: number, indent: string): string => {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (`${lines[last]} ${word}`.length > width) lines.push(word);
    else lines[last] = `${lines[last]} ${word}`.trim();
  }
  return lines.join(`\n${indent}`);
};

const describe = (name: OptionName): string => {
  const { description, value, default: standard } = options[name];
  const short = shortNames[name];
  const argument =
    value.kind === "flag"
      ? ""
      : value.kind === "choice"
        ? ` <${value.values.join("|")}>`
        : ` <${value.kind === "lines" ? "entry" : value.kind}>`;
  const repeated = value.kind === "lines" ? " May be repeated." : "";
  const allowed = value.kind === "number" ? ` (${allowedValues(value)})` : "";
  const fallback = standard === undefined || standard.startsWith("${{") ? "" : ` Default: ${standard}.`;
  const indent = " ".repeat(6);
  const names = [
    ...(short ? [`-${short}`] : []),
    ...(name === "allowed-tools" ? ["--allow"] : []),
    ...(isOnByDefault(name) ? [`--no-${name}`] : []),
    `--${name}`,
  ];
  return `  ${names.join(", ")}${argument}\n${indent}${wrap(description + allowed + repeated + fallback, 100, indent)}`;
};

export const runOptionsHelp = offered.map(describe).join("\n");
