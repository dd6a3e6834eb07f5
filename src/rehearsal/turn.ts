/** What a scripted model does, turn by turn. Turn n answers the request that already holds n assistant messages. */

export type ToolCall = {
  name: string;
  /** A string is sent as it is, so that malformed JSON can be scripted too. */
  arguments: Record<string, unknown> | string;
  /** What the policy must say to it. */
  expect?: "approved" | "denied";
  /** What the sub-agent does that this call starts; without it, a sub-agent plays the script from its beginning. */
  turns?: readonly Turn[];
};

export type Usage = { inputTokens: number; outputTokens: number; cachedTokens?: number };

export type ModelError = {
  status: number;
  code?: string;
  message?: string;
  /** Seconds, sent as the Retry-After header. */
  retryAfter?: number;
  /** How many attempts fail before the turn succeeds; without it every attempt fails. */
  times?: number;
};

export type Turn = {
  text?: string;
  reasoning?: string;
  /** Several calls in one turn run in parallel. */
  toolCalls?: readonly ToolCall[];
  usage?: Usage;
  finishReason?: string;
  /** Nothing is answered, not even headers, for this long. */
  delayMs?: number;
  /** Headers are answered at once, the first byte of the body only after this long. */
  firstByteMs?: number;
  /** Text, reasoning and arguments are streamed in this many pieces. */
  pieces?: number;
  /** Pause between two pieces. */
  pauseMs?: number;
  error?: ModelError;
  /** The request is accepted and never answered. */
  hang?: boolean;
  /** The connection is cut half-way through the stream. */
  cut?: boolean;
};

export type Script = {
  model?: string;
  turns: readonly Turn[];
  /** Conversations that begin with these prompts follow their own turns; entries may be added while the API runs. */
  conversations?: readonly { prompt: string; turns: readonly Turn[] }[];
};
