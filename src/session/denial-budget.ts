import { Failure } from "../errors.ts";

const advice =
  "Widen the allow list, reword the prompt, or allow more denials (the driver's GH_AW_MAX_TOOL_DENIALS).";

/** Rejects `spent` with the denial that is one too many. */
export const denialBudget = (limit = Infinity) => {
  let left = limit;
  let fail: (failure: Failure) => void;
  const spent = new Promise<never>((_, reject) => (fail = reject));
  spent.catch(() => {});
  return {
    spent,
    spend: (): void => {
      if (--left > 0) return;
      const denied = limit === 1 ? "One request was" : `${limit} requests were`;
      fail(new Failure("denied", `${denied} denied, as many as the budget of denials allows`, { advice }));
    },
  };
};
