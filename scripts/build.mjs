// src/ → build/ (tsc) → dist/ (one file per door), with the licences of what is bundled.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import "./setup.mjs";

// Not before everything that it needs is installed.
const { bundle } = await import("./bundle.mjs");

const require = createRequire(import.meta.url);
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const dist = process.argv[2] ?? "dist";

const doors = { driver: "driver.js", cli: "cli.js", action: "index.js", post: "post.js" };

const compile = () => {
  rmSync("build", { recursive: true, force: true });
  execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
  cpSync("package.json", "build/package.json");
};

// The SDK's in-process runtime host, which we never use.
const isUnused = (text) => text.includes("koffi");

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
  writeFileSync(`${dist}/${file}`, await bundle(`${process.cwd()}/build/${door}.js`, file, isUnused));
nativeLibraries();
writeFileSync(`${dist}/package.json`, '{ "type": "module" }\n');
writeFileSync(`${dist}/licenses.txt`, licences().join(`\n${"-".repeat(80)}\n\n`));
