/** What a run would find here: each line ok, a warning or a problem, with advice. */
import { statfsSync } from "node:fs";
import { messageOf } from "../errors.ts";
import { checkCredential } from "../harness/credentials.ts";
import { runtimeVersion } from "../harness/pinned-runtime.ts";
import { sealThisProcess } from "../harness/seal.ts";
import { makeFolder } from "../make-folder.ts";
import { readSurroundings, type Surroundings } from "../settings/command-line.ts";
import { valueOf, type Environment } from "../settings/problems.ts";
import { version } from "../version.ts";
import { parseArguments } from "./arguments.ts";
import { findCredential } from "./find-credential.ts";
import { withRuntime } from "./inspect-runtime.ts";
import { openTerminal, type Palette } from "./terminal.ts";
import { visible } from "./visible.ts";

type Finding = { about: string; status: "ok" | "warning" | "problem"; detail: string; advice?: string };

export const help = `Usage: copilot-driver doctor [--json]

Looks at what a run needs: Node, the Copilot runtime and its version, sealing, credential, proxy, disk.

Options:
  --json  Print the findings as one JSON array

Exit codes: 0 no problem (warnings aside), 1 there is a problem, 2 wrong options.

Examples:
  copilot-driver doctor
  copilot-driver doctor --json | jq -r '.[] | select(.status != "ok") | .advice'
`;

const oldestNode = [20, 19] as const;
const neededBytes = 500 * 1024 * 1024;

const node = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fine = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  const detail = `Node ${process.versions.node} on ${process.platform}-${process.arch}`;
  if (fine) return { about: "node", status: "ok", detail };
  return { about: "node", status: "problem", detail, advice: `Use Node ${oldestNode.join(".")} or later.` };
};

const runtime = async (surroundings: Surroundings): Promise<Finding[]> => {
  try {
    return await withRuntime(surroundings, {}, ({ sidecar, runtime: path }) => {
      const { seal, runtimeVersion: found } = sidecar;
      const detail = `starts from ${path}`;
      return Promise.resolve([
        { about: "runtime", status: "ok", detail },
        {
          about: "versions",
          status: "ok",
          detail: `copilot-driver ${version}, made for SDK and runtime package ${runtimeVersion}; the runtime says ${found ?? "nothing of its version"}`,
        },
        seal.sealed
          ? { about: "sealing of the runtime", status: "ok", detail: "other processes cannot read it" }
          : { about: "sealing of the runtime", status: "warning", detail: seal.why, advice: sealAdvice },
      ] satisfies Finding[]);
    });
  } catch (error) {
    return [
      {
        about: "runtime",
        status: "problem",
        detail: messageOf(error),
        advice: "Install @github/copilot-sdk with npm here, or allow npm to reach its registry once.",
      },
    ];
  }
};

const sealAdvice = "Run as an ordinary user on Linux: elsewhere the agent's shell could read the credential.";

const sealing = (): Finding => {
  const seal = sealThisProcess();
  return seal.sealed
    ? { about: "sealing", status: "ok", detail: "other processes cannot read this one" }
    : { about: "sealing", status: "warning", detail: seal.why, advice: sealAdvice };
};

const credential = async (environment: Environment): Promise<Finding> => {
  const about = "credential";
  const found = await findCredential(environment);
  if (found === undefined)
    return {
      about,
      status: "warning",
      detail: "none found",
      advice: "Set COPILOT_GITHUB_TOKEN or `gh auth login`; a provider of your own and rehearsals need none.",
    };
  const kind = /^(?:gh[a-z]_|github_pat_)/.exec(found.token)?.[0] ?? "unknown kind";
  try {
    checkCredential({ kind: "copilot", token: found.token });
    return { about, status: "ok", detail: `${kind}… from ${found.from}` };
  } catch (error) {
    const advice = (error as { advice?: string }).advice ?? "";
    return { about, status: "problem", detail: `${messageOf(error)} (${found.from})`, advice };
  }
};

const proxy = (environment: Environment): Finding => {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
  const set = names.filter((name) => valueOf(environment, name) !== undefined);
  return { about: "proxy", status: "ok", detail: set.length > 0 ? `${set.join(", ")} set` : "none" };
};

const disk = (about: string, folder: string): Finding => {
  try {
    makeFolder(folder);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const detail = `${Math.floor(free / 1024 / 1024)} MiB free in ${folder}`;
    if (free >= neededBytes) return { about, status: "ok", detail };
    return { about, status: "warning", detail, advice: "Free some space: a runtime takes about 120 MiB." };
  } catch (error) {
    return { about, status: "problem", detail: messageOf(error), advice: "Make the folder writable." };
  }
};

const action = (environment: Environment): Finding => ({
  about: "the Action",
  status: "ok",
  detail:
    valueOf(environment, "GITHUB_ACTIONS") === undefined
      ? `would install runtime ${runtimeVersion} into the runner's tool cache once, and run as the job's user`
      : "runs here",
});

const show = ({ about, status, detail, advice }: Finding, { green, yellow, red, bold }: Palette): string => {
  const mark = { ok: green("ok     "), warning: yellow("warning"), problem: red("problem") }[status];
  return `${mark}  ${bold(about)}: ${visible(detail)}${advice ? `\n         ${visible(advice)}` : ""}`;
};

export const run = async (args: string[], environment: Environment): Promise<number> => {
  const { values } = parseArguments({
    args,
    options: { json: { type: "boolean" } },
  });
  const surroundings = readSurroundings(environment);
  const findings = [
    node(),
    ...(await runtime(surroundings)),
    sealing(),
    await credential(environment),
    proxy(environment),
    disk("disk for temporary files", surroundings.temporaryDirectory),
    disk("disk for runs", surroundings.runsFolder),
    action(environment),
  ];
  const { palette } = openTerminal(process.stdout, surroundings);
  process.stdout.write(
    values.json
      ? `${JSON.stringify(findings)}\n`
      : findings.map((finding) => `${show(finding, palette)}\n`).join(""),
  );
  return findings.some(({ status }) => status === "problem") ? 1 : 0;
};
