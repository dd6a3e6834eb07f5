import { Failure } from "../errors.ts";
import type { DriverSettings } from "../settings/driver.ts";
import type { Account } from "./account.ts";
import { watchForCompletion, type Completion } from "./completion.ts";
import type { AgentEvent, AgentSession } from "./engine.ts";
import { inWords } from "./duration.ts";
import { failAfter, onSilence } from "./watchdog.ts";

export type Conversation = {
  /** Sends one message and waits until its work is done, or until a bound is broken. */
  ask: (prompt: string) => Promise<void>;
  observe: (event: AgentEvent) => void;
  /** What the agent had not ended when it was done. */
  leftBehind: () => string[];
};

/** Sending and waiting, raced against the send timeout, silence and whatever else ends a run. */
export const startConversation = (options: {
  session: AgentSession;
  account: Account;
  settings: Pick<DriverSettings, "sendTimeoutMs" | "stallTimeoutMs">;
  endings: Promise<never>[];
  signal: AbortSignal;
}): Conversation => {
  const { session, account, settings, endings, signal } = options;
  const { sendTimeoutMs, stallTimeoutMs } = settings;
  const warnings: string[] = [];
  let completion: Completion | undefined;

  const timedOut = () =>
    new Failure("timeout", `The agent was not done within ${inWords(sendTimeoutMs)}`, {
      advice: "Allow more time (the driver's COPILOT_SDK_SEND_TIMEOUT_MS) or ask for less in one run.",
    });
  const stalled = () =>
    new Failure("stalled", `Nothing happened for ${inWords(stallTimeoutMs)} while no tool ran`, {
      advice:
        "Run again, or raise the stall timeout for slow models (the driver's COPILOT_SDK_STALL_TIMEOUT_MS).",
    });
  const broken = Promise.race([...endings, failAfter(sendTimeoutMs, timedOut, signal)]);
  broken.catch(() => {});

  /** Silence while the agent works is a stall; silence after it went idle means that only left-over work remains. */
  const silence = (current: Completion): Promise<void> =>
    new Promise((finish, fail) => {
      const silentFor = () => (current.idle || account.runningTools() === 0 ? account.silentFor() : 0);
      const react = () => {
        if (!current.idle) return fail(stalled());
        warnings.push(
          "The agent was idle while tool calls or background tasks had not ended; they were left behind",
        );
        finish();
      };
      void onSilence({ timeoutMs: stallTimeoutMs, silentFor, signal }, react);
    });

  return {
    ask: async (prompt) => {
      const current = watchForCompletion(session, account);
      completion = current;
      await Promise.race([session.send(prompt).then(() => current.done), broken, silence(current)]);
    },
    observe: (event) => completion?.observe(event),
    leftBehind: () => warnings,
  };
};
