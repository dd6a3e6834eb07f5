/** Numbers and outcomes as people say them. One function that needs nothing else, so that it can travel to the page. */
import type { Entry, Run, RunOutcome } from "./model.ts";

export type Words = ReturnType<typeof createWords>;

export const createWords = () => {
  const duration = (ms: number): string => {
    if (ms < 1000) return `${Math.round(ms)} ms`;
    if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;
    const seconds = Math.round(ms / 1000);
    const minutes = Math.floor(seconds / 60);
    return minutes < 60
      ? `${minutes} min ${seconds % 60} s`
      : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  };

  /** How long an entry of the list took, or had taken when the run ended. */
  const howLong = ({ ms = 0, outcome }: Pick<Entry, "ms" | "outcome">): string =>
    outcome === "unfinished" ? `unfinished after ${duration(ms)}` : `took ${duration(ms)}`;

  /** Where in the run: `0:04.2`, `12:30`. */
  const moment = (ms: number, precise: boolean): string => {
    const minutes = Math.floor(ms / 60_000);
    const seconds = (ms % 60_000) / 1000;
    const shown = precise ? (Math.floor(seconds * 10) / 10).toFixed(1) : Math.floor(seconds).toString();
    return `${minutes}:${shown.padStart(precise ? 4 : 2, "0")}`;
  };

  const exact = (value: number): string =>
    Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toFixed(3)));

  /** Short for large numbers. */
  const amount = (value: number): string => {
    if (value < 10_000) return Number.isInteger(value) ? exact(value) : String(Number(value.toFixed(2)));
    return value < 1e6 ? `${(value / 1000).toFixed(value < 1e5 ? 1 : 0)}k` : `${(value / 1e6).toFixed(1)}M`;
  };

  const count = (value: number, one: string, many = `${one}s`): string =>
    `${amount(value)} ${value === 1 ? one : many}`;

  const outcomes: Readonly<Record<string, string>> = {
    completed: "Completed",
    failed: "Failed",
    "timed-out": "Timed out",
    cancelled: "Cancelled",
    denied: "Denied",
    unknown: "No result",
    unmet: "Expectations not met",
    exit: "Exit ≠ 0",
    unfinished: "Unfinished",
    ok: "Ok",
  };

  const outcomeName = (outcome: string): string => outcomes[outcome] ?? outcome;

  const unmet = ({ expectations = [] }: Run): number => expectations.filter(({ ok }) => !ok).length;

  /** How a run went: one that did something else than its script expects did not go well, however it ended. */
  const verdictOf = (run: Run): RunOutcome | "unmet" => (unmet(run) > 0 ? "unmet" : run.outcome);

  /** `Completed after 3 s`, and first of all what was expected otherwise. */
  const howItEnded = (run: Run): { verdict: string; rest: string } => {
    const after = `after ${duration(run.durationMs)}`;
    const verdict = outcomeName(verdictOf(run));
    return verdictOf(run) === run.outcome
      ? { verdict, rest: ` ${after}` }
      : { verdict, rest: `: ${outcomeName(run.outcome).toLowerCase()} ${after}` };
  };

  /** `2 of 6 not met`. */
  const howManyMet = (run: Run): string => {
    const of = run.expectations?.length ?? 0;
    if (unmet(run) > 0) return `${amount(unmet(run))} of ${amount(of)} not met`;
    return of === 1 ? "met" : `all ${amount(of)} met`;
  };

  const toolCalls = (run: Run): number => run.tools.reduce((sum, { calls }) => sum + calls, 0);

  const failedCalls = (run: Run): number => run.tools.reduce((sum, { failed }) => sum + failed, 0);

  const unfinishedCalls = (run: Run): number =>
    run.tools.reduce((sum, { unfinished }) => sum + unfinished, 0);

  /** `1 failed, 2 unfinished`; empty when every call ended well. */
  const callTrouble = (run: Run): string =>
    [[failedCalls(run), "failed"] as const, [unfinishedCalls(run), "unfinished"] as const]
      .flatMap(([calls, word]) => (calls > 0 ? [`${amount(calls)} ${word}`] : []))
      .join(", ");

  /** Whoever had a session and no record of it did something that nobody knows. */
  const isUnrecorded = ({ log, outcome, sessionId }: Run): boolean =>
    log.events === 0 && (outcome === "completed" || sessionId !== undefined);

  const whatItDid = (run: Run): string => {
    if (isUnrecorded(run)) return "There is no record of what happened.";
    const calls = run.asked.times;
    const tools = toolCalls(run);
    const trouble = callTrouble(run);
    const agents = run.agents.length - 1;
    const files = run.changes?.files.length ?? 0;
    const did = [
      `asked the model ${calls === 1 ? "once" : calls === 2 ? "twice" : `${amount(calls)} times`}`,
      tools === 0
        ? "called no tool"
        : `made ${count(tools, "tool call")}${trouble === "" ? "" : ` (${trouble})`}`,
      ...(agents > 0 ? [`started ${count(agents, "sub-agent")}`] : []),
      ...(files > 0 ? [`changed ${count(files, "file")}`] : []),
    ];
    return calls + tools === 0
      ? "Nothing happened."
      : `The agent ${did.slice(0, -1).join(", ")} and ${did.at(-1) ?? ""}.`;
  };

  const whatWasDenied = (run: Run): string => {
    const { length } = run.denials;
    if (length > 0) return `${count(length, "request was", "requests were")} denied.`;
    return isUnrecorded(run) ? "What was denied is not known." : "Nothing was denied.";
  };

  return {
    duration,
    howLong,
    moment,
    exact,
    amount,
    count,
    outcomeName,
    verdictOf,
    howItEnded,
    howManyMet,
    toolCalls,
    callTrouble,
    whatItDid,
    whatWasDenied,
  };
};
