import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeRuntime } from "../support/fake-runtime.ts";
import { driverFile, parseEvents, startWorld, type World } from "../support/driver.ts";
import { ended } from "../support/ordinary-user.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld([{ text: "The answer." }]);
});
afterAll(() => world.stop());

it("fails when the event log cannot be written, and takes back the half of a line that the disk let through", async () => {
  const fake = await startFakeRuntime({
    onSend: async (peer) => {
      await peer.flood(0, 100);
      peer.event("assistant.message", { content: "The answer.", toolRequests: [] });
      peer.event("session.idle");
    },
  });
  const events = join(world.folder, "limited");
  // A file may grow to 16 KiB; a write across that is cut there, and the next one refused.
  const limited = `trap '' XFSZ; ulimit -f 16; exec "${process.execPath}" "${driverFile}"`;
  const { status, stderr } = await ended(
    spawn("bash", ["-c", limited], {
      env: {
        ...world.environment,
        COPILOT_SDK_URI: fake.uri,
        COPILOT_CONNECTION_TOKEN: fake.token,
        GH_AW_SESSION_STATE_BASE_DIR: events,
      },
    }),
  );
  await fake.close();
  expect(status).toBe(1);
  expect(stderr).toMatch(/kind=record message="The event log .* is incomplete: EFBIG/);
  const [session = ""] = readdirSync(events);
  const text = readFileSync(join(events, session, "events.jsonl"), "utf8");
  expect(text).toMatch(/^$|\n$/);
  expect(parseEvents(text).map(({ data }) => data["n"])).toEqual(parseEvents(text).map((_, n) => n));
});
