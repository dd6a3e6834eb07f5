import { startWorld, type World } from "../support/driver.ts";
import { nodes } from "../support/nodes.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      text: "Looking.",
      toolCalls: [{ name: "bash", arguments: { command: "echo hi", description: "x", mode: "sync" } }],
    },
    { text: "The answer.", usage: { inputTokens: 1000, outputTokens: 50, cachedTokens: 400 } },
  ]);
});
afterAll(() => world.stop());

describe.each(nodes)("a run on %s", (_, node) => {
  const permissions = { COPILOT_SDK_PERMISSIONS: '{"allowedTools":["shell(echo)"]}' };

  it("T-CSD-201: logs connection, client start, session, prompt and completion, at every log level", async () => {
    for (const level of ["none", "warning"]) {
      const { stderr, result } = await world.run({ ...permissions, COPILOT_SDK_LOG_LEVEL: level }, node);
      const messages = stderr.split("\n").filter(Boolean);
      expect(messages).toHaveLength(5);
      const prefix = "[copilot-sdk-driver] ";
      expect(messages[0]).toBe(`${prefix}connecting to the Copilot runtime uri=${world.runtime.uri}`);
      expect(messages[1]).toBe(`${prefix}client started`);
      expect(messages[2]).toMatch(new RegExp(`session created sessionId=${result?.sessionId} `));
      expect(messages[3]).toMatch(/sending the prompt characters=12 timeoutMs=600000/);
      expect(messages[4]).toMatch(/completed hasOutput=true durationMs=\d+ denials=0$/);
    }
  });

  it("T-CSD-201: logs a runtime error summary on failure, with its kind and advice and no stack trace", async () => {
    const refusing = await startWorld([
      {
        error: { status: 400, code: "model_not_supported", message: "The requested model is not supported." },
      },
    ]);
    try {
      const { stderr, exitCode } = await refusing.run({}, node);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /\[copilot-sdk-driver\] failed outcome=failed kind=model-unavailable message=.*advice=.*exitCode=1/,
      );
      expect(stderr).not.toMatch(/^\s+at /m);
    } finally {
      await refusing.stop();
    }
  });

  it("prints the final answer of the root agent on stdout, and nothing else", async () => {
    const { stdout } = await world.run(permissions, node);
    expect(stdout).toBe("The answer.\n");
  });

  it("leaves a result with everything that an auditor asks for", async () => {
    const { result } = await world.run(permissions, node);
    expect(result).toMatchObject({
      exitCode: 0,
      outcome: "completed",
      output: "The answer.",
      hasOutput: true,
      model: "rehearsal",
      usage: {
        requests: 2,
        outputTokens: 60,
        cacheReadTokens: 400,
        models: { rehearsal: { requests: 2 } },
        calls: [{ model: "rehearsal" }, { model: "rehearsal", outputTokens: 50 }],
      },
      tools: [{ name: "bash", calls: 1, failures: 0 }],
      denials: [],
      codeChanges: { filesModified: [], linesAdded: 0, linesRemoved: 0 },
    });
    expect(result?.usage?.inputTokens).toBeGreaterThanOrEqual(1000);
    expect(result?.durationMs).toBeGreaterThan(0);
  });

  it("keeps the non-ephemeral events, whole lines, from session.start to session.shutdown", async () => {
    const { eventLogs, events, result } = await world.run(permissions, node);
    expect(Object.keys(eventLogs)).toEqual([result?.sessionId]);
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe("session.start");
    expect(types.at(-1)).toBe("session.shutdown");
    expect(types).toEqual(
      expect.arrayContaining([
        "user.message",
        "tool.execution_start",
        "tool.execution_complete",
        "permission.requested",
        "driver.model_used",
      ]),
    );
    for (const event of events) {
      expect(event.ephemeral).not.toBe(true);
      expect(event.type).toMatch(/^\w+\.\w+/);
      expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp);
      expect(typeof event.data).toBe("object");
    }
  });
});
