/** Requirements of sections 3 and 7 for which the specification lists no test. */
import type { Check, Finding } from "../check.ts";
import { finding } from "../check.ts";
import type { Observation } from "../situation.ts";
import { describeEnd, describeRun, failed, succeeded } from "../situation.ts";
import { modelError } from "./logging.ts";

const releases = ["session.detach", "session.destroy", "session.shutdown", "session.delete"];

const released = (what: string, seen: Observation): Finding => {
  const { methods } = seen.traffic;
  const release = methods.find((method) => releases.includes(method));
  return finding(
    `${what}: the session is given back to the runtime before the driver ends`,
    seen.end.kind === "exited" && release !== undefined,
    release === undefined
      ? `${describeEnd(seen.end)}; the last request was ${methods.at(-1) ?? "none"}`
      : `${describeEnd(seen.end)}; ${release}`,
  );
};

export const lifecycleChecks: readonly Check[] = [
  {
    id: "3.2",
    level: 1,
    requirement: "Start the client, create a session, send the prompt, await completion, return the result.",
    examine: async ({ observe }) => {
      const seen = await observe({});
      const { prompts } = seen.traffic;
      return [
        finding("one prompt is sent", prompts.length === 1, `${prompts.length} sent`),
        finding(
          "it is what the file holds",
          prompts.length > 0 && prompts.every((prompt) => prompt.trim() === seen.prompt),
          prompts.length > 0 ? `“${prompts.join("”, “").slice(0, 200)}”` : "none sent",
        ),
        finding("the run completes with exit code 0", succeeded(seen), describeRun(seen)),
      ];
    },
  },
  {
    id: "7.1",
    level: 1,
    requirement: "Exit with a non-zero status when the prompt cannot be read or the runtime fails.",
    examine: async ({ observe }) => {
      const [unreadable, refused, unreachable] = await Promise.all([
        observe({ environment: { GH_AW_PROMPT: "/nonexistent/prompt.txt" } }),
        observe(modelError),
        observe({ environment: { COPILOT_SDK_URI: "127.0.0.1:1" } }),
      ]);
      return [
        finding(
          "a prompt file that does not exist: a non-zero exit",
          failed(unreadable),
          describeEnd(unreadable.end),
        ),
        finding(
          "an error of the session, after the prompt was sent: a non-zero exit",
          failed(refused) && refused.traffic.prompts.length > 0,
          `${describeEnd(refused.end)}, ${refused.traffic.prompts.length} prompts sent`,
        ),
        finding("nothing listens: a non-zero exit", failed(unreachable), describeEnd(unreachable.end)),
      ];
    },
  },
  {
    id: "7.3",
    level: 1,
    requirement: "Best-effort cleanup of session and client handles regardless of success or failure.",
    examine: async ({ observe }) => {
      const [good, bad] = await Promise.all([observe({}), observe(modelError)]);
      return [released("after success", good), released("after failure", bad)];
    },
  },
];
