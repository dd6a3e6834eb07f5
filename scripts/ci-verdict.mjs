// Reads jest's results, refuses skipped or focused tests, and prints the closing line of `.ci/run`.
import { readFileSync } from "node:fs";

const [file, failedChecks] = process.argv.slice(2);
const read = () => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {
      numPassedTests: 0,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      numFailedTestSuites: 1,
    };
  }
};

const results = read();
const skipped = results.numPendingTests + results.numTodoTests;
if (skipped > 0) console.log(`FAILED: ${skipped} tests are skipped, focused away or empty`);
const failed = results.numFailedTests + Number(failedChecks) + (skipped > 0 ? 1 : 0);
const passed = results.numPassedTests;
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
