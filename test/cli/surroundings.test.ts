import { spawnSync } from "node:child_process";
import { listModels, listSessions } from "../../src/session/sdk.ts";
import { openCommandLine, type CommandLine } from "../support/command-line.ts";
import { startWorld } from "../support/driver.ts";

let cli: CommandLine;
beforeAll(() => void (cli = openCommandLine()));
afterAll(() => cli.remove());

type Finding = { about: string; status: string; detail: string; advice?: string };
const doctor = async (environment: Record<string, string> = {}) => {
  const { status, stdout } = await cli.run(["doctor", "--json"], { environment });
  const findings = JSON.parse(stdout) as Finding[];
  return { status, about: (name: string) => findings.find(({ about }) => about === name) };
};

describe("doctor", () => {
  it("starts the runtime and tells what it found, with advice for what is missing", async () => {
    const { status, about } = await doctor();
    expect(status).toBe(0);
    expect(about("runtime")).toMatchObject({ status: "ok" });
    expect(about("versions")?.detail).toContain("1.0.85");
    expect(about("credential")).toMatchObject({
      status: "warning",
      advice: expect.stringContaining("gh auth login") as string,
    });
  });

  it.each([
    ["COPILOT_GITHUB_TOKEN", `github_pat_${"a1B2".repeat(10)}`, "ok", 0],
    ["GH_TOKEN", `ghp_${"a1B2".repeat(10)}`, "problem", 1],
  ])("looks at the credential in %s without showing it", async (name, token, expected, code) => {
    const { status, about } = await doctor({ [name]: token });
    expect(status).toBe(code);
    expect(about("credential")).toMatchObject({ status: expected });
    expect(about("credential")?.detail).toContain(name);
    expect(JSON.stringify(about("credential"))).not.toContain(token.slice(12));
  });
});

it("lists models and sessions of a runtime", async () => {
  const world = await startWorld([{ text: "Hello." }]);
  try {
    const connection = { uri: world.runtime.uri, connectionToken: world.runtime.token };
    expect(await listModels(connection)).toEqual(
      expect.arrayContaining([{ id: world.api.model, name: expect.any(String) as string }]),
    );
    const { result } = await world.run();
    expect((await listSessions(connection)).map(({ sessionId }) => sessionId)).toContain(result?.sessionId);
  } finally {
    await world.stop();
  }
});

it("says that there are no sessions, and that models need a credential", async () => {
  expect(await cli.run(["sessions"])).toMatchObject({ status: 0, stdout: "" });
  expect(await cli.run(["sessions", "--json"])).toMatchObject({ status: 0, stdout: "[]\n" });
  const models = await cli.run(["models"]);
  expect(models.status).toBe(2);
  expect(models.stderr).toContain("COPILOT_GITHUB_TOKEN");
});

it("completes commands in bash", async () => {
  const { stdout } = await cli.run(["completion", "bash"]);
  const complete = `${stdout}\nCOMP_WORDS=(copilot-driver reh); COMP_CWORD=1; _copilot_driver; echo "\${COMPREPLY[@]}"`;
  expect(spawnSync("bash", ["-c", complete], { encoding: "utf8" }).stdout).toBe("rehearse\n");
  expect((await cli.run(["completion", "tcsh"])).stderr).toContain("bash, zsh, fish");
});
