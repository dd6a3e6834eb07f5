// Lets Node 20 run TypeScript sources: node --import ./scripts/typescript.mjs file.ts
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

const typescript = isMainThread ? undefined : (await import("typescript")).default;

export const load = async (url, context, next) => {
  if (!url.endsWith(".ts")) return next(url, context);
  const { outputText } = typescript.transpileModule(await readFile(fileURLToPath(url), "utf8"), {
    compilerOptions: { module: "ESNext", target: "ES2023", verbatimModuleSyntax: true },
  });
  return { format: "module", source: outputText, shortCircuit: true };
};
