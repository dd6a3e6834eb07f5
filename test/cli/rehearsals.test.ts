/** The kept rehearsals through the real command line: every tool of the runtime, and every way a model fails. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandLine, type CommandLine } from "../support/command-line.ts";
import { projectRoot } from "../support/compiled.ts";
import { comparable } from "../support/normalise-events.ts";
import type { Ended } from "../support/ordinary-user.ts";

const folder = join(projectRoot, "test/rehearsals");
const scripts = readdirSync(folder).map((file) => file.replace(/\.yml$/, ""));

/** Quick ones that have no sub-agent, whose work goes on beside its parent's. */
const played = ["mcp", "model-400", "model-402", "model-empty", "model-invalid-arguments", "model-slow"];

let cli: CommandLine;
beforeAll(() => void (cli = openCommandLine()));
afterAll(() => cli.remove());

const rehearse = (name: string, place: string): Promise<Ended> => {
  const own = join(cli.folder, place);
  mkdirSync(join(own, "tmp"), { recursive: true });
  // A model that hangs is given up as soon as that can be seen.
  const options = name === "model-hang" ? ["--stall-timeout-minutes", "0.02"] : [];
  return cli.run(["rehearse", join(folder, `${name}.yml`), ...options], {
    environment: { XDG_STATE_HOME: join(own, "state"), TMPDIR: join(own, "tmp") },
  });
};

/** Most of the time they wait, for a model that is busy or broken. */
const atOnce = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
};

/** What the runtime and we note while something else happens, and that may therefore come sooner or later. */
const besides = /^hook\.|^driver\./;

const eventsIn = (place: string): object[] => {
  const runs = join(cli.folder, place, "state/copilot-driver/runs");
  const [log = ""] = readdirSync(runs, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith("events.jsonl"));
  const text = readFileSync(join(runs, log), "utf8");
  const temporary = join(cli.folder, place, "tmp");
  const places = [...new Set(text.match(new RegExp(`${temporary}/[\\w.-]+`, "g")))];
  return comparable(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string })
      .filter(({ type }) => !besides.test(type)),
    Object.fromEntries(places.map((path, index) => [path, `/place-${index}`])),
  );
};

it("all end as their scripts expect", async () => {
  const ends = new Map<string, Ended>();
  await atOnce(scripts, async (name) => void ends.set(name, await rehearse(name, `${name}-1`)));
  for (const [name, { status, stderr }] of ends) {
    expect({
      name,
      status,
      met: /(?:All \d+ expectations|The expectation is) met/.test(stderr),
      stderr,
    }).toMatchObject({
      name,
      status: 0,
      met: true,
    });
  }
}, 180_000);

it("give the same events again, apart from ids and times", async () => {
  await atOnce(played, async (name) => void (await rehearse(name, `${name}-2`)));
  for (const name of played) {
    const first = eventsIn(`${name}-1`);
    expect(first.length).toBeGreaterThan(5);
    expect({ name, events: eventsIn(`${name}-2`) }).toEqual({ name, events: first });
  }
}, 180_000);
