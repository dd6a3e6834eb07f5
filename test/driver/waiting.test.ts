import { startFakeRuntime, type Behaviour, type FakeRuntime, type Peer } from "../support/fake-runtime.ts";
import { startWorld, type World } from "../support/driver.ts";
import type { Turn } from "../../src/rehearsal/turn.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld([{ text: "The answer." }]);
});
afterAll(() => world.stop());

const inWorld = async <Result>(turns: Turn[], work: (world: World) => Promise<Result>): Promise<Result> => {
  const own = await startWorld(turns);
  try {
    return await work(own);
  } finally {
    await own.stop();
  }
};

const withFake = async (behaviour: Behaviour, environment: Record<string, string> = {}) => {
  const fake = await startFakeRuntime(behaviour);
  try {
    const run = await world.run({
      COPILOT_SDK_URI: fake.uri,
      COPILOT_CONNECTION_TOKEN: fake.token,
      ...environment,
    });
    return { run, fake };
  } finally {
    await fake.close();
  }
};

const answer = (peer: Peer, content = "The answer.") =>
  peer.event("assistant.message", { content, toolRequests: [] });
const happy = (peer: Peer): void => {
  answer(peer);
  peer.event("session.idle");
};
const methods = ({ received }: FakeRuntime) => received.map(({ method }) => method);
const sleep: Turn = {
  toolCalls: [{ name: "bash", arguments: { command: "sleep 60", description: "x", mode: "sync" } }],
};
const allowAll = { COPILOT_SDK_PERMISSIONS: '{"allowAllTools":true}' };

describe("bounds of a run", () => {
  it("ends a model that never answers at the send timeout, with 124 and what was used so far", () =>
    inWorld([{ hang: true }], async (own) => {
      const { exitCode, result, stdout } = await own.run({ COPILOT_SDK_SEND_TIMEOUT_MS: "700" });
      expect(exitCode).toBe(124);
      expect(stdout).toBe("");
      expect(result).toMatchObject({
        outcome: "timed-out",
        errorKind: "timeout",
        retryable: true,
        hasOutput: false,
      });
    }));

  it("ends a run without events at the stall timeout, with 124", () =>
    inWorld([{ hang: true }], async (own) => {
      const { exitCode, result } = await own.run({ COPILOT_SDK_STALL_TIMEOUT_MS: "700" });
      expect(exitCode).toBe(124);
      expect(result).toMatchObject({
        outcome: "timed-out",
        errorKind: "stalled",
        message: "Nothing happened for 0.7 seconds while no tool ran",
        advice: expect.stringContaining("COPILOT_SDK_STALL_TIMEOUT_MS") as string,
      });
    }));

  it("does not call a run stalled while a tool runs", () =>
    inWorld(
      [
        { toolCalls: [{ name: "bash", arguments: { command: "sleep 2", description: "x", mode: "sync" } }] },
        { text: "Slept." },
      ],
      async (own) => {
        const { exitCode, stdout } = await own.run({ ...allowAll, COPILOT_SDK_STALL_TIMEOUT_MS: "1000" });
        expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Slept.\n" });
      },
    ));

  it("aborts the session when the denial budget is spent, with 3", () =>
    inWorld(
      Array.from({ length: 6 }, (_, n) => ({
        toolCalls: [{ name: "bash", arguments: { command: `rm ${n}`, description: "x", mode: "sync" } }],
      })),
      async (own) => {
        const { exitCode, result } = await own.run({
          COPILOT_SDK_PERMISSIONS: '{"allowedTools":["read"]}',
          GH_AW_MAX_TOOL_DENIALS: "2",
        });
        expect(exitCode).toBe(3);
        expect(result).toMatchObject({ outcome: "denied", errorKind: "denied" });
        expect(result?.denials).toHaveLength(2);
      },
    ));

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("ends on %s with %i, the log flushed and whole", (signal, code) =>
    inWorld([sleep], async (own) => {
      const { child, finished } = own.start({ ...allowAll, COPILOT_SDK_LOG_LEVEL: "info" });
      child.stderr?.on("data", (data: Buffer) => {
        if (data.toString().includes("tool started")) child.kill(signal);
      });
      const { exitCode, result, events } = await finished;
      expect(exitCode).toBe(code);
      expect(result).toMatchObject({ outcome: "cancelled", errorKind: "cancelled", exitCode: code });
      expect(events.map(({ type }) => type)).toContain("tool.execution_start");
    }),
  );

  it.each([
    ["twice the same", ["SIGTERM", "SIGTERM"], 143],
    ["two together", ["SIGINT", "SIGTERM"], 130],
    ["every one, again and again", ["SIGHUP", "SIGTERM", "SIGINT", "SIGTERM", "SIGHUP"], 129],
  ] as const)("takes signals that come close together for one: %s", async (_what, signals, code) => {
    const fake = await startFakeRuntime({ answers: { "session.abort": undefined } });
    const { child, finished } = world.start({
      COPILOT_SDK_URI: fake.uri,
      COPILOT_CONNECTION_TOKEN: fake.token,
    });
    await fake.request("session.send");
    child.kill(signals[0]);
    await fake.request("session.abort");
    for (const signal of signals.slice(1)) child.kill(signal);
    const { exitCode, stderr, result } = await finished;
    await fake.close();
    expect({ exitCode, result }).toMatchObject({ exitCode: code, result: { errorKind: "cancelled" } });
    expect(stderr).toContain(`failed outcome=cancelled kind=cancelled message="Received ${signals[0]}"`);
  });

  it("notices that the runtime died, keeps the log, and says so", () =>
    inWorld([sleep], async (own) => {
      const { child, finished } = own.start({ ...allowAll, COPILOT_SDK_LOG_LEVEL: "info" });
      child.stderr?.on("data", (data: Buffer) => {
        if (data.toString().includes("tool started")) void own.runtime.stop();
      });
      const { exitCode, result, events } = await finished;
      expect(exitCode).toBe(1);
      expect(result).toMatchObject({ errorKind: "runtime-crashed", retryable: true });
      expect(events.map(({ type }) => type)).toContain("tool.execution_start");
    }));

  it.each([
    ["connect", "connection"],
    ["session.create", "runtime-crashed"],
    ["session.send", "runtime-crashed"],
    ["session.tasks.list", "runtime-crashed"],
  ])("notices at once that the connection was lost during %s", async (method, errorKind) => {
    const { run } = await withFake({
      answers: { [method]: (_parameters, peer) => peer.socket.destroy() },
      onSend: happy,
    });
    expect(run.exitCode).toBe(1);
    expect(run.result).toMatchObject({
      errorKind,
      message: expect.stringContaining("The connection to the Copilot runtime was lost") as string,
      retryable: true,
    });
  });

  it("ends with its own error when the session's limits are exhausted", async () => {
    const { run } = await withFake({
      onSend: (peer) =>
        peer.event("session_limits_exhausted.requested", {
          maxAiCredits: 3,
          usedAiCredits: 3.1,
          requestId: "x",
        }),
    });
    expect(run.exitCode).toBe(1);
    expect(run.result).toMatchObject({
      errorKind: "quota",
      message: expect.stringContaining("3 AI credits") as string,
    });
  });
});

describe("what counts as done", () => {
  it("is not an idle while a tool call is pending", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        peer.event("tool.execution_start", { toolCallId: "1", toolName: "bash" });
        peer.event("session.idle");
        setTimeout(() => {
          peer.event("tool.execution_complete", { toolCallId: "1", success: true });
          answer(peer, "After the tool.");
        }, 300);
      },
    });
    expect(run.stdout).toBe("After the tool.\n");
  });

  it("is not an idle while a sub-agent's call with the same id is pending", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        peer.event("tool.execution_start", { toolCallId: "1", toolName: "bash" });
        peer.event("tool.execution_start", { toolCallId: "1", toolName: "bash" }, { agentId: "sub" });
        peer.event("tool.execution_complete", { toolCallId: "1", success: true });
        answer(peer, "Too early.");
        peer.event("session.idle");
        setTimeout(() => {
          answer(peer, "In time.");
          peer.event("tool.execution_complete", { toolCallId: "1", success: true }, { agentId: "sub" });
        }, 300);
      },
    });
    expect(run.stdout).toBe("In time.\n");
  });

  it("is not an idle while a background task runs", async () => {
    let running = 1;
    const { run } = await withFake({
      answers: { "session.tasks.list": () => ({ tasks: running ? [{ id: "t", status: "running" }] : [] }) },
      onSend: (peer) => {
        answer(peer, "Too early.");
        peer.event("session.idle");
        setTimeout(() => {
          running = 0;
          answer(peer, "In time.");
          peer.event("session.background_tasks_changed");
        }, 300);
      },
    });
    expect(run.stdout).toBe("In time.\n");
  });

  it("is left to the stall timeout when a background task never ends, and the run says what it left behind", async () => {
    const { run } = await withFake(
      {
        answers: { "session.tasks.list": () => ({ tasks: [{ id: "t", status: "running" }] }) },
        onSend: (peer) => {
          answer(peer);
          peer.event("session.idle");
        },
      },
      { COPILOT_SDK_STALL_TIMEOUT_MS: "500" },
    );
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe("The answer.\n");
    expect(run.result?.warnings).toEqual([expect.stringContaining("left behind")]);
  });

  it("is not an aborted idle", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        answer(peer);
        peer.event("session.idle", { aborted: true });
      },
    });
    expect(run.exitCode).toBe(1);
    expect(run.result).toMatchObject({ outcome: "cancelled" });
  });

  it("includes an answer that idle overtook", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        peer.event("session.idle");
        setTimeout(() => answer(peer, "Late."), 200);
      },
    });
    expect(run.stdout).toBe("Late.\n");
  });

  it("takes the root agent's answer, not a sub-agent's", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        answer(peer);
        peer.event("assistant.message", { content: "sub", toolRequests: [] }, { agentId: "sub" });
        peer.event("assistant.message", { content: "sub", toolRequests: [], parentToolCallId: "1" });
        peer.event("session.idle");
      },
    });
    expect(run.stdout).toBe("The answer.\n");
  });

  it("is said loudly when there is no answer", async () => {
    const { run } = await withFake({ onSend: (peer) => peer.event("session.idle") });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("The agent gave no answer");
    expect(run.stderr).toContain("hasOutput=false");
  });

  it("survives events of unknown types and shapes", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        for (const type of ["__proto__", "constructor", "from.the_future"])
          peer.event(type, { toolCallId: 7 });
        peer.event("tool.execution_complete", { toolCallId: "never-started" });
        answer(peer);
        peer.event("session.idle");
        peer.event("session.idle");
      },
    });
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 0, stdout: "The answer.\n" });
  });

  it("is recorded in lines that every reader takes, whatever the runtime sent", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        const send = (event: object) => peer.notify("session.event", { sessionId: peer.sessionId, event });
        send({ type: "session.info", data: [], timestamp: "yesterday", id: "1" });
        send({ type: "session.info", data: { a: 1 }, timestamp: 7, id: "2" });
        send({ type: 7, data: {}, timestamp: new Date().toISOString(), id: "3" });
        happy(peer);
      },
    });
    expect(run.events.slice(0, -2).map(({ data }) => data)).toEqual([{}, { a: 1 }]);
    for (const { timestamp } of run.events) expect(Date.parse(timestamp)).not.toBeNaN();
  });

  it("is not reached by an error that idle follows", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        peer.event("session.error", { errorType: "query", statusCode: 500, message: "Upstream broke" });
        peer.event("session.idle");
      },
    });
    expect(run.exitCode).toBe(1);
    expect(run.result).toMatchObject({ outcome: "failed", message: "Upstream broke" });
  });

  it("is reached when the agent goes on after an error", async () => {
    const { run } = await withFake({
      onSend: (peer) => {
        peer.event("session.error", { errorType: "query", message: "A hiccup" });
        peer.event("assistant.turn_start", { turnId: "1" });
        answer(peer);
        peer.event("session.idle");
      },
    });
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 0, stdout: "The answer.\n" });
  });
});

describe("clean-up", () => {
  it("shuts the session down and detaches, also after a failure", async () => {
    const { fake } = await withFake({ onSend: happy });
    expect(methods(fake).slice(-2)).toEqual(["session.shutdown", "session.detach"]);
    const { fake: failed } = await withFake({
      onSend: (peer) => peer.event("session.idle", { aborted: true }),
    });
    expect(methods(failed).slice(-3)).toEqual(["session.abort", "session.shutdown", "session.detach"]);
  });

  it.each([
    ["fails", () => new Error("Unhandled method")],
    ["never answers", undefined],
  ])("does not turn a good run red when it %s", async (_what, reply) => {
    const { run } = await withFake({
      onSend: happy,
      answers: { "session.shutdown": reply, "session.detach": reply },
    });
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 0, stdout: "The answer.\n" });
  });

  it("does not wait for a runtime that has gone", async () => {
    const { run } = await withFake(
      { onSend: happy, answers: { "session.shutdown": (_parameters, peer) => peer.socket.destroy() } },
      { COPILOT_SDK_LOG_LEVEL: "info" },
    );
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("clean-up was incomplete session=failed client=failed");
  });
});

describe("failures of the model's service", () => {
  it.each([
    [401, "authentication", false],
    [429, "rate-limit", true],
    [400, "unknown", false],
  ])("maps status %i to %s", async (status, kind, retryable) => {
    await inWorld([{ error: { status, message: "as scripted", retryAfter: 0 } }], async (own) => {
      const { exitCode, result } = await own.run();
      expect(exitCode).toBe(1);
      expect(result).toMatchObject({ outcome: "failed", errorKind: kind, retryable });
    });
  });

  it("recovers when the runtime's own retry succeeds", () =>
    inWorld([{ text: "Recovered.", error: { status: 500, times: 1 } }], async (own) => {
      const { exitCode, stdout } = await own.run();
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Recovered.\n" });
    }));
});
