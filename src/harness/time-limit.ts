/** How long a session may take: from the step's minutes, or said explicitly. */

export type TimeLimit =
  | { kind: "minutes"; minutes: number }
  /** COPILOT_SDK_SEND_TIMEOUT_MS as it was given: the driver judges it. */
  | { kind: "explicit"; sendTimeoutMs: string }
  | { kind: "default" };

/** Kept back from the step's time, for the driver's clean-up and ours. */
const reservedMs = 30_000;
const shortestMs = 1_000;
/** The specification's default. */
const defaultMs = 600_000;
/** What a driver may need after its send timeout: to abort, disconnect and write. Shorter than what is kept back. */
const marginMs = 20_000;

/** Longer timers overflow to one millisecond. */
const longestTimer = 2 ** 31 - 1;

/** What a retry may still use; the first attempt has spent nothing. */
export const remainingMs = (limit: TimeLimit, spentMs: number): number =>
  limit.kind === "minutes" ? limit.minutes * 60_000 - reservedMs - spentMs : Infinity;

/** The driver's COPILOT_SDK_SEND_TIMEOUT_MS. */
export const sendTimeoutOf = (limit: TimeLimit, spentMs: number): string | undefined => {
  switch (limit.kind) {
    case "minutes":
      return String(Math.max(Math.floor(remainingMs(limit, spentMs)), shortestMs));
    case "explicit":
      return limit.sendTimeoutMs;
    case "default":
      return undefined;
  }
};

/** As drivers read it. */
const millisecondsOf = (sendTimeout: string | undefined): number =>
  sendTimeout !== undefined && /^[1-9]\d*$/.test(sendTimeout) ? Number(sendTimeout) : defaultMs;

/** When the harness ends a driver that does not end itself. */
export const deadlineOf = (sendTimeout: string | undefined): number =>
  Math.min(millisecondsOf(sendTimeout) + marginMs, longestTimer);

/** No pause is worth more than the session that it is made for. */
export const longestWaitMs = (limit: TimeLimit): number =>
  Math.min(millisecondsOf(sendTimeoutOf(limit, 0)), longestTimer);
