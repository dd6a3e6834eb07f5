// Installs what the project needs, once, and says so. Runs before `npm start` and `npm test`.
import { execSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const install = (folder, what, flags = "") => {
  const lock = `${root}${folder}package-lock.json`;
  const installed = `${root}${folder}node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
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

install("", "the project's packages");
// Forced, because npm refuses a package of another architecture, and dist/ carries both.
install("scripts/native/", "the native library that seals processes", "--force");
if (process.argv.includes("--with-node24")) install("test/node24/", "a Node 24 for the tests");
