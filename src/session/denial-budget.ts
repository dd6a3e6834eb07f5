import { Failure } from "../errors.ts";

/** Rejects `spent` with the denial that is one too many. */
export const denialBudget = (limit = Infinity) => {
  let left = limit;
  let fail: (failure: Failure) => void;
  const spent = new Promise<never>((_, reject) => (fail = reject));
  spent.catch(() => {});
  return {
    spent,
    spend: (): void => {
      if (--left === 0) fail(new Failure("denied", `${limit} requests were denied (GH_AW_MAX_TOOL_DENIALS)`));
    },
  };
};
