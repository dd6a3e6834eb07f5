/** What a fault left behind, and what of it must not be. */
import { accessSync, chmodSync, constants, readdirSync, readFileSync } from "node:fs";
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
  /** Somebody else has cleaned up after it, as the Action's post step does. */
  cleanedUp?: true;
};

export type Evidence = {
  folder: string;
  /** Where the run may keep what it needs while it runs. */
  temporary: string;
  secrets: readonly string[];
  survivors: () => Promise<string[]>;
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The sealed runtime may be run but not read: whoever is killed leaves it so. */
const readAnyway = (file: string): string => {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    chmodSync(file, 0o600);
  }
  return readFileSync(file, "latin1");
};

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

const resultProblems = (file: string | undefined, { exitCode }: Aftermath, { kinds }: Fault): string[] => {
  if (file === undefined) return exitCode === null || kinds.includes("nothing") ? [] : ["no result"];
  let result: Result;
  try {
    result = JSON.parse(readFileSync(file, "utf8")) as Result;
  } catch {
    return ["the result file is not whole"];
  }
  if (exitCode === null || (kinds.includes("nothing") && result.errorKind === undefined)) return [];
  const expected: readonly unknown[] = exitCode === 0 ? [undefined] : kinds;
  return [
    ...(expected.includes(result.errorKind)
      ? []
      : [`error kind ${String(result.errorKind)}, expected ${expected.join(" or ")}`]),
    ...(result.exitCode === exitCode ? [] : [`the result says exit code ${String(result.exitCode)}`]),
  ];
};

/** Where the event log lies when nobody says where, and where the Action keeps its record for later steps. */
const isRecord = (name: string): boolean => name === "gh-aw" || name.startsWith("copilot-driver-record-");

/** Whoever is killed cannot clean up; the Action's post step then removes what bears our name. */
const litter = (files: readonly string[], temporary: string, { signal, cleanedUp }: Aftermath): string[] => {
  const wasKilled = signal === "SIGKILL";
  if (wasKilled && !cleanedUp) return [];
  const left = readdirSync(temporary).filter(
    (name) => !isRecord(name) && (!wasKilled || name.startsWith("copilot-driver-")),
  );
  return [...files.filter((file) => file.endsWith(".tmp")), ...left.map((name) => join(temporary, name))].map(
    (path) => `left ${path}`,
  );
};

/** On a busy machine everything takes longer by as much as there is too much to do, within reason. */
const slack = (): number => Math.min(Math.max(1, loadavg()[0]! / availableParallelism()), 4);

export const violationsOf = async (
  fault: Fault,
  aftermath: Aftermath,
  evidence: Evidence,
): Promise<string[]> => {
  const { exitCode, signal, stdout, stderr, seconds } = aftermath;
  const { folder, temporary, secrets, survivors } = evidence;
  const ending = exitCode ?? signal ?? -1;
  const holdsSecret = createDetector(secrets);
  const running = await survivors();
  const files = filesBelow(folder);
  const result = files.find((file) => basename(file) === "result.json");
  return [
    ...(fault.endings.includes(ending)
      ? []
      : [`ended with ${ending}, expected ${fault.endings.join(" or ")}`]),
    ...(seconds <= fault.withinSeconds * slack()
      ? []
      : [`took ${seconds.toFixed(1)} s, allowed ${fault.withinSeconds}`]),
    ...resultProblems(result, aftermath, fault),
    ...files.filter((file) => file.endsWith(".jsonl")).flatMap(tornLines),
    ...litter(files, temporary, aftermath),
    ...(holdsSecret(stdout + stderr) ? ["a secret in the output"] : []),
    ...files.filter((file) => holdsSecret(readAnyway(file))).map((file) => `a secret in ${file}`),
    ...(running.length === 0 ? [] : [`still running: ${running.join(", ")}`]),
    ...(/^\s+at .+:\d+:\d+\)?$/m.test(stderr) ? ["a stack trace on stderr"] : []),
  ];
};
