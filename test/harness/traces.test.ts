import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { startScriptedApi } from "../../src/rehearsal/scripted-api.ts";
import { createHarnessWorld, type HarnessWorld } from "../support/harness-process.ts";
import { spawnAsOrdinaryUser } from "../support/ordinary-user.ts";

const token = "ghs_traceOfTheCredential0123456789";
const warning = "the agent can read the credential elsewhere";

let world: HarnessWorld;
beforeAll(() => {
  world = createHarnessWorld();
});
afterAll(() => world.remove());

const runAgent = async (commands: readonly string[]) => {
  const api = await startScriptedApi({
    turns: [
      {
        toolCalls: [
          { name: "bash", arguments: { command: commands.join("\n"), description: "x", mode: "sync" } },
        ],
      },
      { text: "Done." },
    ],
  });
  const run = world.start({ credential: { kind: "scripted", environment: api.environment } });
  const { status, result } = await run.ended;
  await api.close();
  return { status, result, logs: run.logs() };
};

it("a run that is killed leaves neither processes nor its folder behind", async () => {
  const api = await startScriptedApi({ turns: [{ hang: true }] });
  const run = world.start({ credential: { kind: "scripted", environment: api.environment } });
  await run.until(({ driver }) => driver?.includes("sending the prompt") ?? false);
  run.child.kill("SIGKILL");
  await run.ended;
  while ((await world.leftBehind()).length > 0);
  await api.close();
});

describe("what the agent left running", () => {
  it("is ended with the run, however it was detached, and that is said", async () => {
    const detached = [
      "setsid sleep 601 > /dev/null 2>&1 &",
      "(setsid sh -c 'sleep 602 & sleep 603' > /dev/null 2>&1 &)",
      "env -i setsid nohup sleep 604 > /dev/null 2>&1 &",
      "exit 0",
    ];
    const { status, logs } = await runAgent(detached);
    expect(status).toBe(0);
    expect(logs).toMatch(/ended processes that the agent left running ended=[3-6]/);
    expect(await world.leftBehind()).toEqual([]);
  });
});

describe("what the agent printed", () => {
  it("at great length is left nowhere, and costs neither the record nor the model its length", async () => {
    const { status, result } = await runAgent(["head -c 50000000 /dev/zero | tr '\\0' x"]);
    expect(status).toBe(0);
    expect(await world.leftBehind()).toEqual([]);
    expect(statSync(result?.eventsFile ?? "").size).toBeLessThan(1_000_000);
  });
});

describe("a secret in a place that we cannot protect", () => {
  const runWith = async (): Promise<string> => {
    const driver = [process.execPath, world.write("nothing.mjs", "")] as const;
    const run = world.start({ credential: { kind: "copilot", token }, driver });
    await run.ended;
    return run.logs();
  };

  it("is not claimed where there is none", async () => {
    expect(await runWith()).not.toContain(warning);
  });

  it("is pointed out in the environment of another process", async () => {
    const bystander = spawnAsOrdinaryUser("sleep", ["60"], { env: { GH_TOKEN: token }, stdio: "ignore" });
    const logs = await runWith();
    bystander.kill("SIGKILL");
    expect(logs).toContain(`${warning} where="environment of process ${bystander.pid} (sleep)"`);
    expect(logs).not.toContain(token);
  });

  it("is looked for without waiting at a pipe in place of the repository's configuration", async () => {
    const folder = `${world.workspace}/.git`;
    mkdirSync(folder);
    execFileSync("mkfifo", ["-m", "666", `${folder}/config`]);
    expect(await runWith()).not.toContain(warning);
    rmSync(folder, { recursive: true });
  });

  it("is pointed out in the repository's configuration, where a checkout may leave it encoded", async () => {
    const folder = `${world.workspace}/.git`;
    mkdirSync(folder);
    const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
    writeFileSync(
      `${folder}/config`,
      `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`,
    );
    const logs = await runWith();
    rmSync(folder, { recursive: true });
    expect(logs).toContain(
      `${warning} where=${folder}/config advice="Check out with \`persist-credentials: false\`."`,
    );
  });
});

describe("an agent that tampers with our files", () => {
  it("cannot keep us from cleaning up by locking folders", async () => {
    const { status } = await runAgent([
      "mkdir -p $COPILOT_HOME/locked/inside",
      "touch $COPILOT_HOME/locked/inside/file",
      "chmod 000 $COPILOT_HOME/locked/inside $COPILOT_HOME/locked",
    ]);
    expect(status).toBe(0);
    expect(await world.leftBehind()).toEqual([]);
  });

  it("cannot make us wait for ever by putting pipes in place of files", async () => {
    const driver = [
      process.execPath,
      world.write(
        "pipes.mjs",
        `import { execFileSync } from "node:child_process";
         import { mkdirSync } from "node:fs";
         const id = "00000000-aaaa-bbbb-cccc-444444444444";
         const folder = process.env.GH_AW_SESSION_STATE_BASE_DIR + "/" + id;
         mkdirSync(folder, { recursive: true });
         execFileSync("mkfifo", [folder + "/events.jsonl", process.env.COPILOT_SDK_RESULT_FILE]);
         console.error("session " + id);
         setTimeout(() => process.exit(1), 300);`,
      ),
    ] as const;
    const { result } = await world.start({ driver, retries: 1 }).ended;
    expect(result).toMatchObject({ outcome: "failed", attempts: 1 });
  });

  it.each([
    ["named plainly", "process.argv[1]"],
    ["reached through the folder of event logs", "base + '/../liar.mjs'"],
  ])("cannot lead readers of the event log to a file %s in the result", async (_, eventsFile) => {
    const driver = [
      process.execPath,
      world.write(
        "liar.mjs",
        `import { mkdirSync, writeFileSync } from "node:fs";
         const base = process.env.GH_AW_SESSION_STATE_BASE_DIR;
         mkdirSync(base, { recursive: true });
         writeFileSync(process.env.COPILOT_SDK_RESULT_FILE, JSON.stringify({ exitCode: 0, output: "x", eventsFile: ${eventsFile} }));`,
      ),
    ] as const;
    const { result } = await world.start({ driver }).ended;
    expect(result).toMatchObject({ exitCode: 0, output: "x" });
    expect(result).not.toHaveProperty("eventsFile");
  });
});
