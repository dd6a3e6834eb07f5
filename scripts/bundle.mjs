// One door of build/ → one file that starts fast. What the source imports when it needs it stays in that file, in a
// comment that is read and compiled on that occasion: the file can be copied alone, and after its first part it reads
// nothing that an agent could have changed.
import { createRequire } from "node:module";
import { minify } from "terser";

const ncc = createRequire(import.meta.url)("@vercel/ncc");

const partsMark = "\n//parts ";
const loader = (file) => `
let parts;
const loadPart = async (id) => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { runInThisContext } = process.getBuiltinModule("node:vm");
  parts ??= JSON.parse(readFileSync(new URL(import.meta.url), "latin1").split(${JSON.stringify(partsMark)})[1]);
  return runInThisContext(parts[id], { filename: "${file}/" + id })(import.meta);
};
`;

// ASCII only: a single other character makes the engine hold the whole file in twice the space, and read it slower.
const minified = async (text, options) => {
  const { code } = await minify(text, {
    ...options,
    compress: false,
    mangle: { keep_classnames: true, keep_fnames: true },
    format: { ascii_only: true },
  });
  return code;
};

const replaced = (text, pattern, replacement) => {
  if (text.search(pattern) < 0) throw new Error(`The bundler no longer writes ${pattern}`);
  return text.replace(pattern, replacement);
};

const partOf = (source) =>
  minified(
    replaced(
      source.replaceAll("import.meta", "importMeta"),
      /^export const id = .*;\nexport const ids = (\[.*\]);\nexport const modules = (\{.*\});\s*$/s,
      "(importMeta) => ({ ids: $1, modules: $2 })",
    ),
  );

// The bundler makes a new require function for each of Node's own modules, and that costs more than most of them.
const withBuiltinModules = (code) => {
  const [, createRequire] = /^import \{ createRequire as (\w+) \} from "module";$/m.exec(code);
  return replaced(code, `import { createRequire as ${createRequire} } from "module";\n`, "").replaceAll(
    `${createRequire}(import.meta.url)(`,
    "process.getBuiltinModule(",
  );
};

const withLoader = (code, file) =>
  loader(file) + replaced(code, /import\("\.\/" \+ __nccwpck_require__\.u\(chunkId\)\)/, "loadPart(chunkId)");

/** `isUnused` tells the parts that are left out by their text. */
export const bundle = async (door, file, isUnused) => {
  const { code, assets } = await ncc(door, { quiet: true, cache: false, filename: file });
  const parts = {};
  for (const [name, { source }] of Object.entries(assets)) {
    const text = String(source);
    if (name === "package.json" || isUnused(text)) continue;
    if (!name.endsWith(`.${file}`)) throw new Error(`${file} would not be self-contained: ${name}`);
    parts[name.slice(0, -file.length - 1)] = await partOf(text);
  }
  const [, shebang = "", main] = /^(#![^\n]*\n)?(.*)$/s.exec(code);
  const start = await minified(withLoader(withBuiltinModules(main), file), { module: true });
  return `${shebang}${start}${partsMark}${JSON.stringify(parts)}\n`;
};
