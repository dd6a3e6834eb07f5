/** One run with a scripted model: the real harness, driver, runtime and tools, and what the script expected of them. */
import type { Cancellation } from "../harness/cancellation.ts";
import { runHarness } from "../harness/run.ts";
import type { HarnessObserver, HarnessResult, HarnessSettings } from "../harness/settings.ts";
import { readRegularFile } from "../harness/untrusted-file.ts";
import { checkExpectations, type Verdict } from "./expectations.ts";
import type { Rehearsal } from "./script.ts";
import { startScriptedApi } from "./scripted-api.ts";

export type Played = { result: HarnessResult; verdicts: Verdict[] };

const longestLog = 256 * 1024 * 1024;

/** A torn last line means that the run was killed: what is whole still counts. */
const readEvents = (file: string | undefined): unknown[] => {
  if (file === undefined) return [];
  return (readRegularFile(file, longestLog) ?? "").split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
};

export const play = async (
  rehearsal: Rehearsal,
  settings: Omit<HarnessSettings, "credential" | "model">,
  observer: HarnessObserver,
  cancellation?: Cancellation,
): Promise<Played> => {
  const api = await startScriptedApi(rehearsal);
  try {
    const credential = { kind: "scripted", environment: api.environment } as const;
    const result = await runHarness({ ...settings, model: api.model, credential }, observer, cancellation);
    return { result, verdicts: checkExpectations(rehearsal, readEvents(result.eventsFile), result.exitCode) };
  } finally {
    await api.close();
  }
};
