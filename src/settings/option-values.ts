/** Raw option texts → typed values; what is wrong becomes a problem that names the allowed values. */
import { allowedValues, options, type OptionName } from "./options.ts";
import type { Problems } from "./problems.ts";

export type RawOptions = Readonly<Partial<Record<OptionName, string | undefined>>>;

export type OptionReader = {
  /** Whether somebody gave it, rather than its default. */
  isGiven: (name: OptionName) => boolean;
  text: (name: OptionName) => string | undefined;
  flag: (name: OptionName) => boolean;
  choice: <Value extends string>(name: OptionName, values: readonly Value[]) => Value | undefined;
  number: (name: OptionName) => number | undefined;
  lines: (name: OptionName) => string[];
};

/** An expression of the workflow is evaluated by Actions, never by us. */
const fallbackOf = (name: OptionName): string | undefined => {
  const text = options[name].default;
  return text?.startsWith("${{") ? undefined : text;
};

export const readOptions = (raw: RawOptions, problems: Problems): OptionReader => {
  const given = (name: OptionName): string | undefined => raw[name]?.trim() || undefined;
  const text = (name: OptionName): string | undefined => given(name) ?? fallbackOf(name);

  const refuse = (name: OptionName, value: string): undefined => {
    problems.add(
      `${name}: ${JSON.stringify(value.slice(0, 80))} is not allowed; allowed: ${allowedValues(options[name].value)}`,
    );
    return undefined;
  };

  const choice = <Value extends string>(name: OptionName, values: readonly Value[]): Value | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    return values.find((allowed) => allowed === value.toLowerCase()) ?? refuse(name, value);
  };

  const number = (name: OptionName): number | undefined => {
    const value = text(name);
    const { value: shape } = options[name];
    if (value === undefined || shape.kind !== "number") return undefined;
    const pattern = shape.whole ? /^\d+$/ : /^\d+(?:\.\d+)?$/;
    const found = Number(value);
    const fits = pattern.test(value) && found >= shape.least && found <= (shape.most ?? Infinity);
    return fits ? found : refuse(name, value);
  };

  return {
    isGiven: (name) => given(name) !== undefined,
    text,
    choice,
    number,
    flag: (name) => choice(name, ["true", "false"]) === "true",
    lines: (name) =>
      (text(name) ?? "")
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== "" && !line.startsWith("#")),
  };
};
