// Installs what is needed, once, and says so. Usage: setup.mjs [start | build | test].
import { execSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const purpose = process.argv[2] ?? "build";

const isInstalled = (folder) => {
  const installed = `${root}${folder}node_modules/.package-lock.json`;
  return (
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(`${root}${folder}package-lock.json`).mtimeMs
  );
};

const install = (folder, what, flags = "") => {
  console.error(`Installing ${what} (once) …`);
  const npm = (command, stdio) =>
    execSync(`npm ${command} --no-audit --no-fund --loglevel=error ${flags}`, {
      cwd: `${root}${folder}`,
      stdio,
    });
  try {
    npm("ci", "ignore");
  } catch {
    // A registry that lacks the packages of other platforms makes `npm ci` refuse; the same lock file still decides here.
    npm("install --no-save", "inherit");
  }
};

if (purpose === "start") {
  if (!isInstalled("")) install("", "the Copilot SDK and runtime", "--omit=dev");
} else {
  const hasDevelopmentPackages = existsSync(`${root}node_modules/typescript`);
  if (!isInstalled("") || !hasDevelopmentPackages) install("", "the project's packages");
  // Forced, because npm refuses a package of another architecture, and dist/ carries both.
  if (!isInstalled("scripts/native/"))
    install("scripts/native/", "the native library that seals processes", "--force");
}
if (purpose === "test" && !isInstalled("test/node24/")) install("test/node24/", "a Node 24 for the tests");
