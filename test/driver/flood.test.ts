import { readFileSync } from "node:fs";
import { startFakeRuntime, type Peer } from "../support/fake-runtime.ts";
import { startWorld, type World } from "../support/driver.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld([{ text: "The answer." }]);
});
afterAll(() => world.stop());

/** What nobody uses any more is collected early, also on a busy machine: what is left is what the driver holds. */
const smallHeap = "--max-old-space-size=40 --max-semi-space-size=1";

/** Starts the driver on a runtime of our making, which is told the driver's process id. */
const drive = async (onSend: (peer: Peer, pid: number) => unknown) => {
  let pid = 0;
  const fake = await startFakeRuntime({ onSend: async (peer) => void (await onSend(peer, pid)) });
  try {
    const { child, finished } = world.start({
      COPILOT_SDK_URI: fake.uri,
      COPILOT_CONNECTION_TOKEN: fake.token,
      NODE_OPTIONS: smallHeap,
    });
    pid = child.pid ?? 0;
    return await finished;
  } finally {
    await fake.close();
  }
};

const mostMemoryOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => n);

it("holds back a runtime that sends faster than it can record, and memory stays flat", async () => {
  let growth = Infinity;
  const { exitCode, events, stdout } = await drive(async (peer, pid) => {
    await peer.flood(0, 30_000);
    const before = mostMemoryOf(pid);
    await peer.flood(30_000, 200_000);
    growth = mostMemoryOf(pid) - before;
    peer.event("assistant.message", { content: "The answer.", toolRequests: [] });
    peer.event("session.idle");
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "The answer.\n" });
  expect(growth).toBeLessThan(32);
  expect(events.slice(0, -2).map(({ data }) => data["n"])).toEqual(numbersTo(200_000));
});

it("records every event that came before the connection ended", async () => {
  const { exitCode, result, events } = await drive(async (peer) => {
    await peer.flood(0, 1000);
    peer.socket.end();
  });
  expect(exitCode).toBe(1);
  expect(result).toMatchObject({ errorKind: "runtime-crashed" });
  expect(events.map(({ data }) => data["n"])).toEqual(numbersTo(1000));
});

it("records an answer and its idle that came before the connection ended, and prints the answer", async () => {
  const { events, stdout } = await drive((peer) => {
    peer.event("assistant.message", { content: "The answer.", toolRequests: [] });
    peer.event("session.idle");
    peer.socket.end();
  });
  expect(events.map(({ type }) => type)).toEqual(["assistant.message", "session.idle"]);
  expect(stdout).toBe("The answer.\n");
});
