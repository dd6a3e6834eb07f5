import type { ChildProcess } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileSources, type Compiled } from "../support/compiled.ts";
import { ended, folderOfOrdinaryUser, spawnAsOrdinaryUser } from "../support/ordinary-user.ts";

const secret = "canary-in-the-environment";

let compiled: Compiled;
let place: ReturnType<typeof folderOfOrdinaryUser>;
let victims: ChildProcess[];

beforeAll(() => {
  compiled = compileSources();
  place = folderOfOrdinaryUser();
});
afterAll(() => {
  compiled.remove();
  place.remove();
});
beforeEach(() => {
  victims = [];
});
afterEach(() => {
  for (const victim of victims) victim.kill("SIGKILL");
});

/** A Node process that runs the line, says what came of it and stays. */
const startVictim = async (line: string): Promise<{ pid: number; said: string; errors: () => string }> => {
  const victim = spawnAsOrdinaryUser(
    process.execPath,
    ["--input-type=module", "-e", `${line}; setInterval(() => {}, 1000);`],
    { cwd: place.folder, env: { SECRET: secret }, stdio: ["ignore", "pipe", "pipe"] },
  );
  victims.push(victim);
  let errors = "";
  victim.stderr?.on("data", (data: Buffer) => (errors += data.toString()));
  const said = await new Promise<string>((resolve, reject) => {
    victim.stdout?.once("data", (data: Buffer) => resolve(data.toString().trim()));
    victim.once("exit", () => reject(new Error(`The victim ended: ${errors}`)));
  });
  return { pid: victim.pid ?? 0, said, errors: () => errors };
};

const sealingLine = (sealFile: string): string =>
  `const { sealThisProcess } = await import(${JSON.stringify(sealFile)}); console.log(JSON.stringify(sealThisProcess()))`;

const attack = (command: string) =>
  ended(
    spawnAsOrdinaryUser("/bin/sh", ["-c", command], { cwd: place.folder, env: { PATH: process.env.PATH } }),
  );

const onLinux = (): void => {
  it("lets no other process of the same user read its environment or memory", async () => {
    const { pid, said } = await startVictim(sealingLine(compiled.fileOf("harness/seal.ts")));
    expect(JSON.parse(said)).toEqual({ sealed: true });

    const environment = await attack(`cat /proc/${pid}/environ`);
    expect(environment.stdout).toBe("");
    expect(environment.stderr).toContain("Permission denied");
    expect((await attack(`dd if=/proc/${pid}/mem bs=1 count=1`)).stderr).toContain("Permission denied");
    expect((await attack(`ls -l /proc/${pid}/fd`)).stderr).toContain("Permission denied");
    expect((await attack(`ps eww -p ${pid}`)).stdout).not.toContain(secret);
  });

  it("does not open the inspector on SIGUSR1", async () => {
    const { pid, errors } = await startVictim(sealingLine(compiled.fileOf("harness/seal.ts")));
    await attack(`kill -USR1 ${pid}; sleep 0.3; kill -0 ${pid}`);
    expect(errors()).not.toContain("Debugger listening");
    expect((await attack(`kill -0 ${pid} && echo alive`)).stdout).toContain("alive");
  });

  it("differs from an unsealed one, which gives away everything", async () => {
    const { pid, errors } = await startVictim(`console.log("not sealed")`);
    expect((await attack(`cat /proc/${pid}/environ`)).stdout).toContain(secret);
    await attack(`kill -USR1 ${pid}; sleep 0.3`);
    expect(errors()).toContain("Debugger listening");
  });

  it("says why when the native library is not beside the program", async () => {
    const alone = join(place.folder, "alone");
    cpSync(join(compiled.folder, "src"), join(alone, "src"), { recursive: true });
    writeFileSync(join(alone, "package.json"), '{ "type": "module" }');
    const { said } = await startVictim(sealingLine(join(alone, "src/harness/seal.js")));
    expect(JSON.parse(said)).toEqual({
      sealed: false,
      why: `native/linux-${process.arch}.node is not beside the program`,
    });
    rmSync(alone, { recursive: true });
  });

  it("says so when the user may read every process anyway", async () => {
    const asSelf = await import("../../src/harness/seal.ts");
    const isRoot = process.getuid?.() === 0;
    expect(asSelf.sealThisProcess()).toEqual(
      isRoot ? { sealed: false, why: "this user may read every process, as root does" } : { sealed: true },
    );
  });
};

const elsewhere = (): void => {
  it("says that only Linux offers it", async () => {
    const { sealThisProcess } = await import("../../src/harness/seal.ts");
    expect(sealThisProcess()).toEqual({ sealed: false, why: "only Linux offers it" });
  });
};

describe("a sealed process", process.platform === "linux" ? onLinux : elsewhere);
