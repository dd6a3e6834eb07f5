// action.yml and the README's tables, written from the tables in src/. A test fails when they drift.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { format } from "prettier";
import { stringify } from "yaml";

const quoted = (text) => text.replaceAll("|", "\\|");

export const renderAction = (options, outputs) => {
  const inputs = Object.entries(options).map(([name, { description, default: value, ownDefault }]) => [
    name,
    {
      description: ownDefault ? `${description} Default: \`${value}\`.` : description,
      required: false,
      ...(value !== undefined && !ownDefault && { default: value }),
    },
  ]);
  const action = {
    name: "Copilot driver",
    description:
      "Run a Copilot agent under a written policy, with credentials out of its reach and a record anyone can audit",
    author: "The copilot-driver authors",
    branding: { icon: "shield", color: "purple" },
    inputs: Object.fromEntries(inputs),
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, description]) => [name, { description }]),
    ),
    runs: { using: "node24", main: "dist/index.js", post: "dist/post.js" },
  };
  const text = `# Written by scripts/write-docs.mjs from src/settings/options.ts and src/action/outputs.ts.\n${stringify(action, { lineWidth: 0 })}`;
  return format(text, { parser: "yaml", printWidth: 110 });
};

const inputTable = (options, allowedValues) => {
  const rows = Object.entries(options).map(([name, { description, value, default: fallback }]) => {
    const shown =
      fallback === undefined ? "" : fallback.startsWith("${{") ? "the job's token" : `\`${fallback}\``;
    return `| \`${name}\` | ${quoted(description)} | ${quoted(allowedValues(value))} | ${shown} |`;
  });
  return ["| input | what it does | value | default |", "| --- | --- | --- | --- |", ...rows].join("\n");
};

const outputTable = (outputs) =>
  [
    "| output | what it holds |",
    "| --- | --- |",
    ...Object.entries(outputs).map(([name, description]) => `| \`${name}\` | ${quoted(description)} |`),
  ].join("\n");

const failureTable = (failures) =>
  [
    "| `error-kind` | exit code | what to do |",
    "| --- | --- | --- |",
    ...failures.map(({ kind, exitCode, advice }) => `| \`${kind}\` | ${exitCode} | ${quoted(advice)} |`),
  ].join("\n");

const between = (text, name, content) => {
  const pattern = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`README.md has no place for ${name}`);
  return text.replace(pattern, (_whole, start, end) => `${start}\n\n${content}\n\n${end}`);
};

export const renderReadme = (text, { options, outputs, allowedValues, failures }) => {
  const withInputs = between(text, "inputs", inputTable(options, allowedValues));
  const withOutputs = between(withInputs, "outputs", outputTable(outputs));
  return format(between(withOutputs, "failures", failureTable(failures)), {
    parser: "markdown",
    printWidth: 110,
  });
};

const write = async () => {
  const require = createRequire(import.meta.url);
  process.chdir(new URL("..", import.meta.url).pathname);
  execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json"]);
  const [{ options, allowedValues }, { outputs }, { Failure, failureKinds }] = await Promise.all(
    ["settings/options", "action/outputs", "errors"].map(
      (module) => import(new URL(`../build/${module}.js`, import.meta.url).href),
    ),
  );
  const failures = failureKinds.map((kind) => new Failure(kind, ""));
  writeFileSync("action.yml", await renderAction(options, outputs));
  const readme = readFileSync("README.md", "utf8");
  writeFileSync("README.md", await renderReadme(readme, { options, outputs, allowedValues, failures }));
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await write();
