/** How long a decision takes: for what agents run every day, and for what a hostile model could send. */
import { performance } from "node:perf_hooks";
import { parse } from "unbash";
import { decide } from "../src/policy/decide.ts";
import { parseRules } from "../src/policy/rules.ts";
import { readCorpus } from "../test/support/corpus.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { median, type Row } from "./measure.ts";

const longest = 128 * 1024;
const workspace = "/nonexistent/workspace";
const corpus = readCorpus();
const everyday = corpus.filter(({ file }) => file === "everyday.yml").map(({ command = "" }) => command);
const rules = parseRules(
  corpus.filter(({ file }) => file === "everyday.yml").flatMap((entry) => entry.rules),
).rules;

const decideText = (fullCommandText: string): void => {
  decide({ mode: "scoped", rules }, { kind: "shell", fullCommandText }, workspace);
};

const milliseconds = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

/** The cheapest of many rounds is what the work costs; the rest is what else the machine does. */
const cheapest = (work: () => void): number => {
  let best = Infinity;
  let spent = 0;
  for (let round = 0; round < 25 || (spent < 100 && round < 200); round += 1) {
    const cost = milliseconds(work);
    best = Math.min(best, cost);
    spent += cost;
  }
  return best;
};

const repeat = (work: () => void, times: number): void => {
  for (let time = 0; time < times; time += 1) work();
};

const everydayRows = (): Row[] => {
  const perText = (work: (text: string) => void): number =>
    median(everyday.map((text) => cheapest(() => repeat(() => work(text), 50)) * 20));
  const decisions = perText(decideText);
  const parses = perText((text) => void parse(text));
  return [
    { name: "decisions: everyday command, median decision", median: decisions, unit: "µs", limit: 20 },
    { name: "decisions: everyday command, decision to parse alone", median: decisions / parses, unit: "×" },
  ];
};

/** How many decisions of each kind of text fit into a second. */
const classRows = (): Row[] =>
  [...new Set(corpus.map(({ file }) => file))].flatMap((file) => {
    const texts = corpus.flatMap((entry) => (entry.file === file && entry.command ? [entry.command] : []));
    if (texts.length === 0) return [];
    const all = cheapest(() => texts.forEach(decideText));
    return [
      {
        name: `decisions: ${file.replace(/\.yml$/, "")}`,
        median: (texts.length * 1000) / all,
        unit: "per second" as const,
      },
    ];
  });

/** Every class of the corpus blown up by repetition, and the shapes made for slowness. */
const blownUp = (): [string, (size: number) => string][] => {
  const files = [...new Set(corpus.map(({ file }) => file))];
  const classes = files.flatMap((file): [string, (size: number) => string][] => {
    const text = corpus
      .flatMap((entry) => (entry.file === file && entry.command ? [entry.command] : []))
      .join("\n");
    return text === ""
      ? []
      : [[`corpus ${file}`, (size) => `${text}\n`.repeat(Math.max(1, Math.floor(size / (text.length + 1))))]];
  });
  return [...Object.entries(hostileTexts), ...classes];
};

/** A step, where a limit is reached, shows in one doubling; growth faster than the text shows in both. */
const hostileRows = (): Row[] => {
  const tooLong = "echo ".repeat(209_715);
  const shapes = blownUp().map(([name, textOf]) => {
    const whole = textOf(longest - 64);
    const slow = cheapest(() => decideText(whole));
    const [small, double, fourfold] = [8, 4, 2].map((part) =>
      cheapest(() => decideText(textOf(longest / part))),
    );
    return { name, slow, ratio: Math.min(double! / small!, fourfold! / double!) };
  });
  const slowest = shapes.reduce((a, b) => (b.slow > a.slow ? b : a));
  const steepest = shapes.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  return [
    {
      name: `decisions: 128 KiB of hostile text, slowest of ${shapes.length} shapes (${slowest.name})`,
      median: slowest.slow,
      unit: "ms",
      limit: 60,
    },
    {
      name: `decisions: time(2n)/time(n), steepest shape (${steepest.name})`,
      median: steepest.ratio,
      unit: "×",
      limit: 2.5,
    },
    {
      name: "decisions: 1 MiB, denied unparsed",
      median: cheapest(() => decideText(tooLong)),
      unit: "ms",
      limit: 5,
    },
  ];
};

const memoryRows = (): Row[] => {
  const texts = blownUp().map(([, textOf]) => textOf(longest - 64));
  const before = process.memoryUsage().rss;
  for (let round = 0; round < 3; round += 1) for (const text of texts) decideText(text);
  for (let round = 0; round < 20; round += 1) for (const text of everyday) decideText(text);
  return [
    {
      name: "decisions: memory grown by three rounds of every hostile shape",
      median: (process.memoryUsage().rss - before) / 1e6,
      unit: "MB",
      limit: 256,
    },
  ];
};

export const benchDecisions = (): Row[] => [
  ...everydayRows(),
  ...classRows(),
  ...hostileRows(),
  ...memoryRows(),
];
