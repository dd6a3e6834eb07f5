import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { compileSources } from "../support/compiled.ts";
import { createHarnessWorld } from "../support/harness-process.ts";
import { ended, folderOfOrdinaryUser, spawnAsOrdinaryUser } from "../support/ordinary-user.ts";

/** What another process of the same user can read of an environment. */
const environmentOf = (pid: number | undefined) =>
  ended(spawnAsOrdinaryUser("cat", [`/proc/${pid}/environ`], { env: { PATH: process.env["PATH"] } }));

describe("our own driver, told to get its secrets over a pipe", () => {
  const compiled = compileSources();
  const place = folderOfOrdinaryUser();
  const promptFile = join(place.folder, "prompt.txt");
  writeFileSync(promptFile, "Hello.");
  afterAll(() => {
    compiled.remove();
    place.remove();
  });

  const start = (descriptor = "3") => {
    const child = spawnAsOrdinaryUser(process.execPath, [join(compiled.folder, "dist/driver.js")], {
      cwd: place.folder,
      env: {
        GH_AW_PROMPT: promptFile,
        // Nobody listens there: whoever has a token and tries gets so far.
        COPILOT_SDK_URI: "127.0.0.1:1",
        COPILOT_MODEL: "any",
        GH_AW_SESSION_STATE_BASE_DIR: join(place.folder, "events"),
        COPILOT_DRIVER_SECRETS_FD: descriptor,
      },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    return { child, channel: child.stdio[3] as Duplex, end: ended(child) };
  };

  it("asks when others of its user can read it no more, and goes on with what it got", async () => {
    const { child, channel, end } = start();
    await new Promise((resolve) => channel.once("data", resolve));
    expect((await environmentOf(child.pid)).stderr).toContain("Permission denied");
    channel.end(`${JSON.stringify({ COPILOT_CONNECTION_TOKEN: "canary" })}\n`);
    const { status, stderr } = await end;
    expect(status).toBe(1);
    expect(stderr).toContain("kind=connection");
  });

  it.each([
    ["gets nothing", (channel: Duplex) => channel.end(), "3"],
    ["gets no JSON", (channel: Duplex) => channel.end("nonsense\n"), "3"],
    ["has no such descriptor", () => undefined, "99"],
    ["is given no number", () => undefined, "three"],
  ])("says so when it %s", async (_, answer, descriptor) => {
    const { channel, end } = start(descriptor);
    channel.on("error", () => undefined);
    answer(channel);
    const { status, stderr } = await end;
    expect(status).toBe(2);
    expect(stderr).toContain(`COPILOT_DRIVER_SECRETS_FD: no secrets came over ${descriptor}`);
  });

  it("ends on a signal while it waits", async () => {
    const { child, channel, end } = start();
    await new Promise((resolve) => channel.once("data", resolve));
    child.kill("SIGTERM");
    expect((await end).status).toBe(143);
  });
});

it("a heist in the driver's first moments finds no secret: it has none before it asks for them", async () => {
  const world = createHarnessWorld();
  const [go, asked] = [join(world.workspace, "go"), join(world.workspace, "asked")];
  // In the place of our driver one that stays in its first moments, unsealed, until it has been robbed.
  writeFileSync(
    join(world.compiled.folder, "dist/driver.js"),
    `import { existsSync, readSync, writeFileSync, writeSync } from "node:fs";
     console.error("not sealed yet");
     while (!existsSync(${JSON.stringify(go)})) await new Promise((resolve) => setTimeout(resolve, 20));
     writeSync(3, "sealed\\n");
     const bytes = Buffer.alloc(65536);
     writeFileSync(${JSON.stringify(asked)}, bytes.subarray(0, readSync(3, bytes)));
     console.log("An answer.");`,
  );
  const run = world.start({
    credential: {
      kind: "provider",
      provider: { type: "openai", baseUrl: "http://127.0.0.1:1/v1", apiKey: "sk-canary-0123456789" },
    },
  });
  await run.until(({ driver }) => driver === "not sealed yet");
  const masks = run.said.flatMap(({ mask }) => mask ?? []);
  const driver = run.said.flatMap(({ started }) => started?.pid ?? []).at(1);
  const { stdout: loot } = await environmentOf(driver);
  expect(loot).toContain("COPILOT_SDK_URI=");
  expect(masks).toHaveLength(4);
  for (const secret of masks) expect(loot).not.toContain(secret);

  writeFileSync(go, "");
  expect((await run.ended).result).toMatchObject({ outcome: "completed", output: "An answer." });
  const [, token, ...broker] = masks;
  const given = JSON.parse(readFileSync(asked, "utf8")) as Record<string, string>;
  expect(given["COPILOT_CONNECTION_TOKEN"]).toBe(token);
  for (const secret of broker) expect(given["COPILOT_SDK_PROVIDER"]).toContain(secret);
  expect(await world.leftBehind()).toEqual([]);
  world.remove();
});
