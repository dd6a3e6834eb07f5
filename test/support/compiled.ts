/** The sources as plain JavaScript, so that a test can run them in a process of its own, as any user. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

const compilerOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
};

export type Compiled = { folder: string; fileOf: (source: string) => string; remove: () => void };

/** Lays out `src/` and `dist/` as in the project, in a folder that every user may read. */
export const compileSources = (): Compiled => {
  const folder = mkdtempSync(join(tmpdir(), "compiled-"));
  const sources = readdirSync(join(projectRoot, "src"), { recursive: true, encoding: "utf8" });
  for (const source of sources.filter((name) => name.endsWith(".ts"))) {
    const target = join(folder, "src", source.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(projectRoot, "src", source), "utf8");
    writeFileSync(target, ts.transpileModule(text, { compilerOptions }).outputText);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  cpSync(join(projectRoot, "dist"), join(folder, "dist"), { recursive: true });
  chmodSync(folder, 0o755);
  return {
    folder,
    fileOf: (source) => join(folder, "src", source.replace(/\.ts$/, ".js")),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
