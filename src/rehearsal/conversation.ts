/** What a model request tells about its conversation, in either dialect. */

type Block = { type?: unknown; text?: unknown; content?: unknown };
type Message = { role?: unknown; content?: unknown };

const messagesOf = (messages: unknown): Message[] =>
  Array.isArray(messages)
    ? messages.filter((message): message is Message => message !== null && typeof message === "object")
    : [];

const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as (Block | null)[])
    .map((block) => (typeof block?.text === "string" ? block.text : ""))
    .join("");
};

/** What the agent was asked. The runtime puts the time in front of a prompt, never anything behind it. */
export const openingOf = (messages: unknown): string =>
  textOf(messagesOf(messages).find(({ role }) => role === "user")?.content).trimEnd();

export const turnNumberOf = (messages: unknown): number =>
  messagesOf(messages).filter(({ role }) => role === "assistant").length;

/** Chat completions give results as messages of the tool, Anthropic's as blocks of the user's message. */
export const toolResults = (messages: unknown): string[] =>
  messagesOf(messages).flatMap(({ role, content }) => {
    if (role === "tool") return [textOf(content)];
    if (role !== "user" || !Array.isArray(content)) return [];
    const results = (content as (Block | null)[]).filter((block) => block?.type === "tool_result");
    return results.map((block) => textOf(block?.content));
  });
