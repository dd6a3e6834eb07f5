/** Writes event logs in the runtime's shape, with a clock that the story moves. */

export type LogWriter = ReturnType<typeof createLogWriter>;

type Data = Record<string, unknown>;

export const createLogWriter = (start = Date.parse("2026-03-14T09:26:53.000Z")) => {
  const lines: string[] = [];
  let now = start;
  let calls = 0;

  const event = (type: string, data: Data, agentId?: string): void => {
    const id = `00000000-0000-4000-8000-${String(lines.length + 1).padStart(12, "0")}`;
    const timestamp = new Date(now).toISOString();
    lines.push(
      JSON.stringify({
        type,
        data,
        ...(agentId !== undefined && { agentId }),
        id,
        timestamp,
        parentId: null,
      }),
    );
  };

  const wait = (ms: number): void => {
    now += ms;
  };

  const begin = (prompt: string, model = "gpt-5", cwd = "/home/runner/work/shop"): void => {
    event("session.start", {
      sessionId: "6f1c9f0e-4a7b-4a55-9d0e-2b8f1d1f7c11",
      copilotVersion: "1.0.85",
      selectedModel: model,
      context: { cwd },
    });
    wait(60);
    event("user.message", { content: prompt });
  };

  const turn = (number: number, agentId?: string): void =>
    event("assistant.turn_start", { turnId: String(number) }, agentId);

  const say = (
    content: string,
    options: { tools?: string[]; agentId?: string; reasoning?: string } = {},
  ): void =>
    event(
      "assistant.message",
      {
        content,
        model: "gpt-5",
        ...(options.reasoning !== undefined && { reasoningText: options.reasoning }),
        toolRequests: (options.tools ?? []).map((name) => ({ name, toolCallId: "", arguments: {} })),
      },
      options.agentId,
    );

  const endTurn = (number: number, agentId?: string): void =>
    event("assistant.turn_end", { turnId: String(number) }, agentId);

  /** A tool call that has begun; call the result to end it. */
  const tool = (
    toolName: string,
    args: unknown,
    options: { agentId?: string; request?: Data; denied?: string } = {},
  ): ((completion?: Data) => void) => {
    calls += 1;
    const toolCallId = `call_${calls}`;
    const requestId = `request_${calls}`;
    event("tool.execution_start", { toolCallId, toolName, arguments: args }, options.agentId);
    if (options.request) {
      event("permission.requested", { requestId, permissionRequest: { toolCallId, ...options.request } });
      const result =
        options.denied === undefined
          ? { kind: "approved" }
          : { kind: "denied-interactively-by-user", feedback: options.denied };
      event("permission.completed", { requestId, toolCallId, result });
    }
    const ending: Data =
      options.denied === undefined
        ? { success: true }
        : {
            success: false,
            error: {
              code: "denied",
              message: `The user rejected this tool call. User feedback: ${options.denied}`,
            },
          };
    return (completion = {}) =>
      event("tool.execution_complete", { toolCallId, ...ending, ...completion }, options.agentId);
  };

  /** A log that ends while a command is running: nine seconds before the end of the run, by its result. */
  const breakOff = (): { log: string; result: unknown } => {
    begin("Wait for the build.");
    turn(0);
    wait(940);
    say("", { tools: ["bash"] });
    tool("bash", { command: "sleep 100" });
    return {
      log: lines.map((line) => `${line}\n`).join(""),
      result: { exitCode: 124, outcome: "timed-out", message: "No answer within 10 s.", durationMs: 10_000 },
    };
  };

  return {
    breakOff,
    event,
    wait,
    begin,
    turn,
    say,
    endTurn,
    tool,
    lastCall: () => `call_${calls}`,
    now: () => now,
    text: () => lines.map((line) => `${line}\n`).join(""),
  };
};
