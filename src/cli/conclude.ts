/** The last words about a run, when the answer has been printed. */
import { pathToFileURL } from "node:url";
import type { Failure } from "../errors.ts";
import type { HarnessResult } from "../harness/settings.ts";
import { diffOf, type Verdict } from "../rehearsal/expectations.ts";
import { createWords } from "../report/words.ts";
import { ownName } from "./own-name.ts";
import type { Terminal } from "./terminal.ts";
import { visible } from "./visible.ts";

export type Concluded = {
  result: HarnessResult;
  verdicts: readonly Verdict[];
  failure: Failure | undefined;
  report: string | undefined;
};

const { duration, amount, count } = createWords();

const numbersOf = ({ tools, denials, usage, durationMs }: HarnessResult): string => {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return [
    count(
      tools.reduce((sum, { calls }) => sum + calls, 0),
      "tool call",
    ),
    `${amount(denials.length)} denied`,
    ...(tokens > 0 ? [count(tokens, "token")] : []),
    duration(durationMs),
  ].join(", ");
};

export const conclude = (
  { result, verdicts, failure, report }: Concluded,
  { line, palette }: Terminal,
): void => {
  const { dim, green, red, yellow } = palette;
  line("");
  for (const warning of result.warnings) line(yellow(visible(`Warning: ${warning}`)));
  if (failure)
    line(`${red(`Failed (${failure.kind}):`)} ${visible(`${failure.message}\n${failure.advice}`)}`);
  const unmet = verdicts.filter(({ ok }) => !ok).length;
  if (unmet > 0)
    line(
      `${red(`${unmet} of ${count(verdicts.length, "expectation")} not met`)}\n${visible(diffOf(verdicts))}\n`,
    );
  else if (verdicts.length > 0)
    line(
      green(verdicts.length === 1 ? "The expectation is met." : `All ${verdicts.length} expectations met.`),
    );
  line(dim(numbersOf(result)));
  if (report !== undefined) line(dim(`Report: ${pathToFileURL(report).href}`));
  if (result.denials.length > 0) line(dim(`What would allow what was denied: ${ownName()} suggest`));
};
