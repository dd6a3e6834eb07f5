/** A short selection of the fault laboratory; `npm run faults` runs all of it. */
import { allFaults } from "./table.ts";
import { tryFault } from "./try-fault.ts";

const selection = [
  "the runtime closes the socket at session.create",
  "the runtime closes the socket while a tool runs",
  "the runtime sends events without data, type or id",
  "the runtime sends a frame that is not JSON, then goes on",
  "the runtime repeats the connection token in whatever it says",
  "the runtime is stopped for two seconds, then goes on",
  "the model answers 429 with Retry-After",
  "the disk fills up during the run",
  "stdout is full",
  "the reader of stderr goes away",
  "SIGTERM twenty times",
  "SIGTERM during a clean-up that hangs",
  "the line is reset after a random number of bytes",
  "SIGINT to the harness while the driver connects",
  "SIGINT to the harness while a tool runs",
  "SIGHUP to the harness while a tool runs, as when a terminal closes",
  "the harness is killed while a tool runs",
  "stdout of the harness is full",
  "the reader of the harness's stderr goes away",
  "the harness's runtime is killed",
  "the harness's temporary folder is a file",
  "the job is cancelled while a tool of the Action runs",
  "the Action is killed while a tool runs",
];

it("the table holds at least sixty faults, each with a name of its own", () => {
  const names = allFaults.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
  expect(selection.filter((name) => !names.includes(name))).toEqual([]);
});

it.each(allFaults.filter(({ name }) => selection.includes(name)))("$name", async (fault) => {
  const { violations, aftermath } = await tryFault(fault, 1);
  expect({ violations, said: violations.length > 0 && aftermath.stderr }).toEqual({
    violations: [],
    said: false,
  });
});
