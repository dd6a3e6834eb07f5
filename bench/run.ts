// Everything that we measure, side by side, in one run.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { projectRoot } from "../test/support/compiled.ts";
import type { Row } from "./measure.ts";
import { plotOf } from "./plot.ts";
import { asMarkdown, asText } from "./table.ts";

const pieces: Record<string, () => Promise<() => Row[] | Promise<Row[]>>> = {
  harness: async () => (await import("./harness.ts")).benchHarness,
  driver: async () => (await import("./driver-alone.ts")).benchDriverAlone,
  broker: async () => (await import("./broker.ts")).benchBroker,
  startup: async () => (await import("./startup.ts")).benchStartup,
  "event-log": async () => (await import("./event-log.ts")).benchEventLog,
  decisions: async () => (await import("./decisions.ts")).benchDecisions,
  report: async () => (await import("./report.ts")).benchReport,
  concurrency: async () => (await import("./concurrency.ts")).benchConcurrency,
  sizes: async () => (await import("./sizes.ts")).benchSizes,
};

const help = `Usage: npm run bench -- [piece …] [--json] [--save]

Pieces (default: all): ${Object.keys(pieces).join(", ")}

  --json   The results as JSON
  --save   Write docs/performance.md, .json and .svg
`;

export type Results = { machine: Record<string, string>; rows: Row[] };

/** Each piece in a process of its own: what one leaves in memory must not slow the next. */
const measure = (piece: string): Row[] => {
  const output = execFileSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), "--piece", piece],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 1e8,
    },
  );
  return JSON.parse(output) as Row[];
};

const machine = (): Results["machine"] => {
  const manifest = JSON.parse(
    readFileSync(join(projectRoot, "node_modules/@github/copilot-sdk/package.json"), "utf8"),
  ) as { version: string; copilotCliVersion: string };
  const [cpu] = cpus();
  return {
    CPU: `${cpus().length} × ${cpu?.model.trim() ?? "unknown"}`,
    memory: `${(totalmem() / 1e9).toFixed(0)} GB`,
    system: `${process.platform} ${release()}`,
    Node: process.versions.node,
    "Copilot SDK and runtime": `${manifest.version}, ${manifest.copilotCliVersion}`,
    "load at the start": loadavg()[0]!.toFixed(1),
    date: new Date().toISOString().slice(0, 10),
  };
};

const save = async (results: Results): Promise<void> => {
  const docs = join(projectRoot, "docs");
  writeFileSync(join(docs, "performance.json"), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(docs, "performance.svg"), plotOf(results.rows));
  const file = join(docs, "performance.md");
  const [begin, end] = ["<!-- results: begin -->", "<!-- results: end -->"];
  const text = readFileSync(file, "utf8");
  const before = text.slice(0, text.indexOf(begin) + begin.length);
  const updated = `${before}\n\n${asMarkdown(results)}\n\n${text.slice(text.indexOf(end))}`;
  writeFileSync(file, await format(updated, { ...(await resolveConfig(file)), parser: "markdown" }));
};

const refuse = (message: string): never => {
  process.stderr.write(`${message}\n\n${help}`);
  process.exit(2);
};

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        piece: { type: "string" },
        json: { type: "boolean", default: false },
        save: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
};

const { values, positionals } = readArguments();
const unknown = [...positionals, ...(values.piece === undefined ? [] : [values.piece])].find(
  (name) => !Object.hasOwn(pieces, name),
);
if (unknown !== undefined) refuse(`There is no piece “${unknown}”.`);

if (values.help) process.stdout.write(help);
else if (values.piece !== undefined) {
  process.stdout.write(JSON.stringify(await (await pieces[values.piece]!())()));
} else {
  const wanted = positionals.length > 0 ? positionals : Object.keys(pieces);
  const results: Results = { machine: machine(), rows: [] };
  for (const piece of wanted) {
    process.stderr.write(`${piece} …\n`);
    results.rows.push(...measure(piece));
  }
  process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : asText(results));
  if (values.save) await save(results);
  process.exitCode = results.rows.some(({ median, limit = Infinity }) => median > limit) ? 1 : 0;
}
