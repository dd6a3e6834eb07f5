/** The corpus of permission requests that every version of the engine must decide as written. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

type Written =
  string | { command?: string; request?: unknown; reason?: string; part?: string; proof?: string };

type Group = { about: string; rules: string[]; approve?: Written[]; deny?: Written[] };

export type Case = {
  file: string;
  about: string;
  rules: string[];
  request: unknown;
  command: string | undefined;
  expected: "approve" | "deny";
  reason: string | undefined;
  part: string | undefined;
  /** How real Bash shows that approving would have been wrong: `runs`, `writes <file>` or `shows secret`. */
  proof: string | undefined;
};

const folder = fileURLToPath(new URL("../corpus/policy/", import.meta.url));

const caseOf = (
  file: string,
  { about, rules }: Group,
  written: Written,
  expected: Case["expected"],
): Case => {
  const { command, request, reason, part, proof } =
    typeof written === "string" ? { command: written } : written;
  return {
    file,
    about,
    rules,
    request: command === undefined ? request : { kind: "shell", fullCommandText: command },
    command,
    expected,
    reason,
    part,
    proof,
  };
};

export const readCorpus = (): Case[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".yml"))
    .sort()
    .flatMap((file) =>
      (parse(readFileSync(`${folder}${file}`, "utf8")) as Group[]).flatMap((group) => [
        ...(group.approve ?? []).map((written) => caseOf(file, group, written, "approve")),
        ...(group.deny ?? []).map((written) => caseOf(file, group, written, "deny")),
      ]),
    );
