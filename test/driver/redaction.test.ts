import { startFakeRuntime, type Peer } from "../support/fake-runtime.ts";
import { startWorld, type World } from "../support/driver.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld([{ text: "The answer." }]);
});
afterAll(() => world.stop());

const tracesOf = async (onSend: (peer: Peer) => void, environment: Record<string, string> = {}) => {
  const fake = await startFakeRuntime({ onSend });
  try {
    const run = await world.run({
      COPILOT_SDK_URI: fake.uri,
      COPILOT_CONNECTION_TOKEN: fake.token,
      ...environment,
    });
    expect(run.events).not.toEqual([]);
    return JSON.stringify(run);
  } finally {
    await fake.close();
  }
};

it("takes out a credential at the beginning of a line, in a message and in JSON inside a tool's result", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const traces = await tracesOf((peer) => {
    const result = { content: JSON.stringify({ note: `first line\n${token}` }) };
    peer.event("tool.execution_complete", { toolCallId: "1", success: true, result });
    peer.event("session.error", { errorType: "query", message: `This is wrong:\n${token}` });
    peer.event("session.idle");
  });
  expect(traces).toContain("first line");
  expect(traces).not.toContain(token);
});

it("takes out the way into a broker, and leaves public addresses alone", async () => {
  const [path, pass] = ["0123456789abcdef".repeat(4), "5566778899aabbcc".repeat(4)];
  const provider = (baseUrl: string) => ({
    COPILOT_SDK_PROVIDER: JSON.stringify({ type: "openai", baseUrl, headers: { "x-broker-pass": pass } }),
  });
  const refused = (baseUrl: string) => (peer: Peer) => {
    const message = `401 from ${baseUrl}/chat/completions with ${pass}`;
    peer.event("session.error", { errorType: "authentication", statusCode: 401, message });
    peer.event("session.idle");
  };
  const broker = `http://127.0.0.1:1/${path}/v1`;
  const traces = await tracesOf(refused(broker), provider(broker));
  expect(traces).not.toContain(path);
  expect(traces).not.toContain(pass);
  expect(traces).toContain("/v1/chat/completions");
  const open = `https://models.example/${path}/v1`;
  expect(await tracesOf(refused(open), provider(open))).toContain(open);
});
