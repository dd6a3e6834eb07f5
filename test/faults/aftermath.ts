/** What a fault left behind, and what of it must not be. */
import { readdirSync, readFileSync } from "node:fs";
import { loadavg, availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { createDetector } from "../../src/redact.ts";
import type { Fault } from "./fault.ts";

export type Aftermath = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  seconds: number;
};

export type Evidence = { folder: string; secrets: readonly string[]; survivors: () => Promise<string[]> };

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const isEvent = (line: string): boolean => {
  try {
    const { type, data, timestamp } = JSON.parse(line) as Record<string, unknown>;
    return (
      typeof type === "string" && data !== null && typeof data === "object" && typeof timestamp === "string"
    );
  } catch {
    return false;
  }
};

const tornLines = (file: string): string[] => {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  const torn = lines.slice(0, -1).filter((line) => !isEvent(line)).length + (lines.at(-1) === "" ? 0 : 1);
  return torn === 0 ? [] : [`${torn} torn lines in ${file}`];
};

type Result = { exitCode?: unknown; errorKind?: unknown };

const resultProblems = (file: string, { exitCode }: Aftermath, fault: Fault): string[] => {
  let result: Result;
  try {
    result = JSON.parse(readFileSync(file, "utf8")) as Result;
  } catch {
    return ["the result file is not whole"];
  }
  const expected: readonly unknown[] = exitCode === 0 ? [undefined] : fault.kinds;
  return [
    ...(expected.includes(result.errorKind)
      ? []
      : [`error kind ${String(result.errorKind)}, expected ${expected.join(" or ")}`]),
    ...(result.exitCode === exitCode ? [] : [`the result says exit code ${String(result.exitCode)}`]),
  ];
};

/** On a busy machine everything takes longer by as much as there is too much to do. */
const slack = (): number => Math.max(1, loadavg()[0]! / availableParallelism());

export const violationsOf = async (
  fault: Fault,
  aftermath: Aftermath,
  evidence: Evidence,
): Promise<string[]> => {
  const { exitCode, signal, stdout, stderr, seconds } = aftermath;
  const { folder, secrets, survivors } = evidence;
  const ending = exitCode ?? signal ?? -1;
  const holdsSecret = createDetector(secrets);
  const files = filesBelow(folder);
  const result = files.find((file) => basename(file) === "result.json");
  const running = await survivors();
  return [
    ...(fault.endings.includes(ending)
      ? []
      : [`ended with ${ending}, expected ${fault.endings.join(" or ")}`]),
    ...(seconds <= fault.withinSeconds * slack()
      ? []
      : [`took ${seconds.toFixed(1)} s, allowed ${fault.withinSeconds}`]),
    ...(result === undefined ? [] : resultProblems(result, aftermath, fault)),
    ...files.filter((file) => file.endsWith(".jsonl")).flatMap(tornLines),
    ...files.filter((file) => file.endsWith(".tmp")).map((file) => `left ${file}`),
    ...(holdsSecret(stdout + stderr) ? ["a secret in the output"] : []),
    ...files.filter((file) => holdsSecret(readFileSync(file, "latin1"))).map((file) => `a secret in ${file}`),
    ...(running.length === 0 ? [] : [`still running: ${running.join(", ")}`]),
    ...(/^\s+at .+:\d+:\d+\)?$/m.test(stderr) ? ["a stack trace on stderr"] : []),
  ];
};
