/** Whole rehearsed runs (real runtime, one scripted tool call): ours beside `copilot -p` and a minimal script. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedApi } from "../src/rehearsal/scripted-api.ts";
import { compileSources, projectRoot } from "../test/support/compiled.ts";
import { interleaved, ratioOf, rowOf, type Row } from "./measure.ts";

type Kind = "ours" | "minimal script" | "copilot -p";

const platform = `${process.platform}-${process.arch}`;
const runtimePath = join(
  projectRoot,
  `node_modules/@github/copilot-sdk-${platform}/prebuilds/${platform}/copilot-runtime`,
);
const cliFolder = join(projectRoot, "bench/copilot-cli");
const cliPath = join(cliFolder, `node_modules/@github/copilot-${platform}/copilot`);

/** The harness as it ships: one bundle beside the driver. */
const bundleDoor = async (folder: string): Promise<string> => {
  const compiled = compileSources();
  try {
    cpSync(join(projectRoot, "test/support/harness-door.mjs"), join(compiled.folder, "door.mjs"));
    const ncc = createRequire(import.meta.url)("@vercel/ncc") as (
      input: string,
      options: object,
    ) => Promise<{ code: string }>;
    const { code } = await ncc(join(compiled.folder, "door.mjs"), {
      minify: true,
      quiet: true,
      cache: false,
    });
    cpSync(join(projectRoot, "dist"), folder, { recursive: true });
    writeFileSync(join(folder, "door.js"), code);
    return join(folder, "door.js");
  } finally {
    compiled.remove();
  }
};

const installCli = (): void => {
  if (!existsSync(cliPath))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: cliFolder });
};

const timed = (
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; input?: string },
) =>
  new Promise<number>((resolve, reject) => {
    const start = performance.now();
    let output = "";
    const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.end(options.input ?? "");
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)));
    child.once("error", reject);
    child.once("close", (status) => {
      if (status === 0 && output.includes("The answer is 42.")) resolve(performance.now() - start);
      else reject(new Error(`${command} failed (${status}): ${output.slice(-2000)}`));
    });
  });

export const benchHarness = async (rounds = 11): Promise<Row[]> => {
  installCli();
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
  for (const path of [home, workspace]) mkdirSync(path);
  const door = await bundleDoor(join(folder, "dist"));
  const command = { command: "echo $((6*7))", description: "x", mode: "sync" };
  const api = await startScriptedApi({
    turns: [{ toolCalls: [{ name: "bash", arguments: command }] }, { text: "The answer is 42." }],
  });
  const plain = { PATH: process.env["PATH"], HOME: home, TMPDIR: folder };
  const env = { ...plain, ...api.environment, COPILOT_HOME: join(home, "copilot") };
  const settings = JSON.stringify({
    prompt: "Do what the script says.",
    model: api.model,
    credential: { kind: "scripted", environment: api.environment },
    workspace,
    permissions: { allowAllTools: true },
    timeLimit: { kind: "minutes", minutes: 5 },
    runtimePath,
    toolCache: folder,
    eventLogBase: join(folder, "events"),
    temporaryDirectory: folder,
    logLevel: "warning",
  });
  const cliArguments = [
    "-p",
    "Do what the script says.",
    "--allow-all-tools",
    "--no-auto-update",
    "--model",
    api.model,
  ];
  const kinds: Record<Kind, () => Promise<number>> = {
    ours: () => timed(process.execPath, [door], { cwd: workspace, env: plain, input: settings }),
    "minimal script": () =>
      timed(process.execPath, [join(projectRoot, "bench/minimal.mjs"), runtimePath, api.model], {
        cwd: workspace,
        env,
      }),
    "copilot -p": () => timed(cliPath, cliArguments, { cwd: workspace, env }),
  };
  try {
    const times = await interleaved(rounds, kinds);
    const ratio = (name: Kind, limit: number): Row =>
      ratioOf(`whole run: ours / ${name}`, times.ours, times[name], limit);
    return [
      ...(Object.keys(kinds) as Kind[]).map((name) => rowOf(`whole run: ${name}`, times[name])),
      ratio("copilot -p", 0.75),
      ratio("minimal script", 1.35),
    ];
  } finally {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
