/** Section 8.1.3 and 6.4: what a driver says about its run, and where. */
import type { Check, Finding } from "../check.ts";
import { finding } from "../check.ts";
import type { Observation } from "../situation.ts";

const lines = ({ stdout, stderr }: Observation): string[] => `${stderr}\n${stdout}`.split("\n");

const marker = (what: string, seen: Observation, matches: (line: string) => boolean): Finding => {
  const line = lines(seen).find(matches);
  return finding(
    `an entry for ${what}`,
    line !== undefined,
    line === undefined ? "none" : line.slice(0, 160),
  );
};

const lifecycle: Check = {
  id: "T-CSD-201",
  level: 3,
  requirement: "Lifecycle logs include connection, session, prompt, completion, and failure markers.",
  examine: async ({ observe }) => {
    const [good, bad] = await Promise.all([observe({}), observe(modelError)]);
    const sessionId = good.traffic.sessionId;
    return [
      marker("the connection attempt", good, (line) => /connect/i.test(line)),
      marker("the client's start", good, (line) => /\b(?:client|connect\w*|start\w*|ready)\b/i.test(line)),
      marker(
        "the session, with its identifier",
        good,
        (line) => sessionId !== undefined && line.includes(sessionId),
      ),
      marker("the dispatch of the prompt", good, (line) => /prompt|send|sent|dispatch/i.test(line)),
      marker(
        "completion, with the presence of output and a duration",
        good,
        (line) =>
          /complet|finish|done|success|result/i.test(line) &&
          /output|answer|response/i.test(line) &&
          /\d/.test(line),
      ),
      marker("the error of a failed run", bad, (line) => /error|fail/i.test(line)),
    ];
  },
};

const longCommand = `echo begin ${"x".repeat(6_000)}`;

const summary: Check = {
  id: "T-CSD-202",
  level: 2,
  requirement: "Permission denial logs include compact request summary.",
  examine: async ({ observe }) => {
    const seen = await observe({
      permissions: { allowedTools: ["read"] },
      turns: [
        {
          toolCalls: [{ name: "bash", arguments: { command: longCommand, description: "x", mode: "sync" } }],
        },
        { text: "The work is done." },
      ],
    });
    const entries = lines(seen).filter((line) => line.includes("echo begin"));
    const longest = Math.max(0, ...entries.map(({ length }) => length));
    return [
      finding(
        "the entry for a denied command of 6 kB names it in less than 2 kB",
        entries.length > 0 && longest < 2_000,
        entries.length === 0 ? "no entry names it" : `an entry of ${longest} characters`,
      ),
    ];
  },
};

/** What interpreters print of themselves is nobody's prefix. */
const generic = /^(?:\W*(?:error|uncaught|unhandled|exception|traceback|panic|fatal|node|file|at)\b|\s)/i;

const commonStart = (one: string, other: string): string => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
};

const prefix: Check = {
  id: "6.4",
  level: 3,
  requirement:
    "Missing required variables and unreadable prompt input are reported to standard error with a driver-specific prefix.",
  examine: async ({ observe }) => {
    const [missing, unreadable] = await Promise.all([
      observe({ environment: { COPILOT_SDK_URI: undefined } }),
      observe({ environment: { GH_AW_PROMPT: "/nonexistent/prompt.txt" } }),
    ]);
    const said = ({ stderr }: Observation) =>
      stderr.split("\n").filter((line) => line.trim() !== "" && !generic.test(line));
    const shared = said(missing)
      .flatMap((one) => said(unreadable).map((other) => commonStart(one, other)))
      .find((start) => start.trim().length >= 3);
    return [
      finding(
        "both are told on standard error, in lines that begin alike",
        shared !== undefined,
        shared === undefined
          ? "no line of its own in common"
          : `both begin with “${shared.trim().slice(0, 60)}”`,
      ),
    ];
  },
};

/** An error of the model's service that no retry can help. */
export const modelError = { turns: [{ error: { status: 400, message: "as the script says" } }] };

export const loggingChecks: readonly Check[] = [summary, lifecycle, prefix];
