/** Every way in which a run can fail: its exit code, whether a new run could help, and what a person can do. */

const kinds = {
  configuration: { exitCode: 2, retryable: false, advice: "Correct the named setting and run again." },
  connection: {
    exitCode: 1,
    retryable: true,
    advice: "Check that the Copilot runtime is running at the given address and can reach its service.",
  },
  authentication: {
    exitCode: 1,
    retryable: false,
    advice:
      "Check the credential: in Actions grant `copilot-requests: write`, elsewhere use a fine-grained token with the “Copilot Requests” permission.",
  },
  "rate-limit": {
    exitCode: 1,
    retryable: true,
    advice: "The model's service limits requests: wait, then run again.",
  },
  quota: {
    exitCode: 1,
    retryable: false,
    advice: "The account's allowance is used up: raise the budget or wait until it renews.",
  },
  "model-unavailable": {
    exitCode: 1,
    retryable: false,
    advice: "Choose a model that the account may use, or `auto`.",
  },
  "context-length": {
    exitCode: 1,
    retryable: false,
    advice: "Shorten the prompt or choose a model with a larger context window.",
  },
  "content-filter": {
    exitCode: 1,
    retryable: false,
    advice: "The service refused the content: rephrase the prompt.",
  },
  timeout: { exitCode: 124, retryable: true, advice: "Allow more time or ask for less in one run." },
  stalled: {
    exitCode: 124,
    retryable: true,
    advice:
      "Nothing happened for the whole stall time: run again, or raise the stall timeout for slow models.",
  },
  cancelled: {
    exitCode: 130,
    retryable: true,
    advice: "The run was cancelled from outside; run it again when ready.",
  },
  denied: {
    exitCode: 3,
    retryable: false,
    advice:
      "The agent asked too often for what the policy does not allow: widen the allow list or reword the prompt.",
  },
  "runtime-missing": {
    exitCode: 1,
    retryable: false,
    advice: "Install the Copilot runtime or point to it explicitly.",
  },
  "runtime-crashed": {
    exitCode: 1,
    retryable: true,
    advice: "The Copilot runtime ended during the run: see its last output, then run again.",
  },
  "protocol-mismatch": {
    exitCode: 1,
    retryable: false,
    advice: "Use the runtime version that this release was built for.",
  },
  "invalid-output": {
    exitCode: 1,
    retryable: true,
    advice: "Simplify the schema or say in the prompt what each field means.",
  },
  "empty-answer": {
    exitCode: 1,
    retryable: true,
    advice: "Ask for an answer in words, or set `fail-on-empty: false` where only the work counts.",
  },
  "no-write-access": {
    exitCode: 1,
    retryable: false,
    advice:
      "Let somebody with write access start it, name the account in `allowed-actors`, or set `require-write-access: skip` to pass over such events.",
  },
  "unmet-expectation": {
    exitCode: 1,
    retryable: false,
    advice: "Correct the policy, or what the rehearsal's script expects of it.",
  },
  record: {
    exitCode: 1,
    retryable: false,
    advice: "Free space or correct the path of the event log: what the agent did is not fully recorded.",
  },
  unknown: {
    exitCode: 1,
    retryable: false,
    advice: "Run again with the log level `debug` and look at the event log.",
  },
} as const satisfies Record<string, { exitCode: number; retryable: boolean; advice: string }>;

export type FailureKind = keyof typeof kinds;

export const failureKinds = Object.keys(kinds) as FailureKind[];

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly exitCode: number;
  readonly retryable: boolean;
  readonly advice: string;

  constructor(
    kind: FailureKind,
    message: string,
    options: { cause?: unknown; exitCode?: number; advice?: string; retryable?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "Failure";
    this.kind = kind;
    this.exitCode = options.exitCode ?? kinds[kind].exitCode;
    this.retryable = options.retryable ?? kinds[kind].retryable;
    this.advice = options.advice ?? kinds[kind].advice;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
