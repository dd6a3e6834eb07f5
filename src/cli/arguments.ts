/** `parseArgs` with failures that name what was probably meant. */

import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import { Failure, messageOf } from "../errors.ts";
import { longer, nearest } from "../nearest.ts";

export const parseArguments = <Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> => {
  try {
    return parseArgs(config);
  } catch (error) {
    const [, option] = /'(-[^']*)'/.exec(messageOf(error)) ?? [];
    const known = ["help", ...Object.keys(config.options ?? {})].map((name) => `--${name}`);
    const near = option === undefined ? undefined : (nearest(option, known) ?? longer(option, known));
    const negation = `no-${option?.slice(2)}`;
    const hint = Object.hasOwn(config.options ?? {}, negation)
      ? ` Turn it off with --${negation}.`
      : near === undefined || near === option
        ? ""
        : ` Did you mean ${near}?`;
    const [sentence = ""] = messageOf(error).split(". ", 1);
    throw new Failure("configuration", `${sentence.replace(/\.?$/, ".")}${hint}`, { cause: error });
  }
};
