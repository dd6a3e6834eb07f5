// src/ → build/ (tsc) → dist/ (one file per door, and parts that are loaded when needed), with the licences of what is bundled.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import "./setup.mjs";

const require = createRequire(import.meta.url);
const ncc = require("@vercel/ncc");
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const dist = process.argv[2] ?? "dist";

const doors = { driver: "driver.js", cli: "cli.js", action: "index.js", post: "post.js" };

// What few runs need is loaded when it is, but never after an agent has started: it could have changed the file.
// The driver is copied elsewhere, and the clean-up runs last: both stay in one file.
const mayHaveParts = ["cli", "action"];

const compile = () => {
  rmSync("build", { recursive: true, force: true });
  execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
  cpSync("package.json", "build/package.json");
};

const bundle = async (door, file) => {
  const { code, assets } = await ncc(`${process.cwd()}/build/${door}.js`, {
    minify: true,
    quiet: true,
    cache: false,
    filename: file,
  });
  const parts = Object.entries(assets).filter(
    ([name, { source }]) => name !== "package.json" && !String(source).includes("koffi"),
  );
  const unexpected = parts.filter(([name]) => !mayHaveParts.includes(door) || !name.endsWith(`.${file}`));
  if (unexpected.length > 0)
    throw new Error(`${file} would not be self-contained: ${unexpected.map(([name]) => name)}`);
  writeFileSync(`${dist}/${file}`, code);
  for (const [name, { source }] of parts) writeFileSync(`${dist}/${name}`, source);
};

// The lazily loaded chunk that is left out is the SDK's in-process runtime host, which we never use.
const licences = () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const bundled = Object.entries(packages).filter(([path, { dev, optional }]) => path && !dev && !optional);
  return bundled.map(([path, { version, license }]) => {
    const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
    const text = file
      ? readFileSync(`${path}/${file}`, "utf8").trim()
      : "(the package carries no licence file)";
    return `${path.replace(/^.*node_modules\//, "")} ${version} (${license})\n\n${text.replaceAll("\r\n", "\n")}\n`;
  });
};

// Copied as it is: a bundler would rename or relocate it.
const nativeLibraries = () => {
  mkdirSync(`${dist}/native`);
  for (const arch of ["x64", "arm64"])
    writeFileSync(
      `${dist}/native/linux-${arch}.node`,
      readFileSync(`scripts/native/node_modules/@koromix/koffi-linux-${arch}/linux_${arch}/koffi.node`),
    );
};

compile();
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
for (const [door, file] of Object.entries(doors))
  if (existsSync(`build/${door}.js`)) await bundle(door, file);
nativeLibraries();
writeFileSync(`${dist}/package.json`, '{ "type": "module" }\n');
writeFileSync(`${dist}/licenses.txt`, licences().join(`\n${"-".repeat(80)}\n\n`));
