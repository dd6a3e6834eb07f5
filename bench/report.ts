/** A log of 100 000 events to HTML, beside the cheapest thing that can be done with the same log: parsing its lines. */
import { performance } from "node:perf_hooks";
import { pageOf } from "../src/report/page.ts";
import { summaryOf } from "../src/report/summary.ts";
import { timelineOf } from "../src/report/timeline.ts";
import { longLog } from "../test/report/long-run.ts";

const rounds = 5;
const events = 100_000;

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const time = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

const log = longLog(events);
const run = timelineOf(log, "bench");
const page = pageOf([run]);

const work = {
  parse: () => log.split("\n").map((line) => (line === "" ? undefined : (JSON.parse(line) as unknown))),
  timeline: () => timelineOf(log, "bench"),
  page: () => pageOf([run]),
  summary: () => summaryOf([run]),
  whole: () => pageOf([timelineOf(log, "bench")]),
};

const times = Object.fromEntries(Object.keys(work).map((name) => [name, [] as number[]]));
for (let round = 0; round < rounds; round += 1)
  for (const [name, piece] of Object.entries(work)) times[name]?.push(time(piece));

const medians = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
const result = {
  events,
  logMegabytes: Number((log.length / 1e6).toFixed(1)),
  pageMegabytes: Number((page.length / 1e6).toFixed(1)),
  milliseconds: Object.fromEntries(
    Object.entries(medians).map(([name, value]) => [name, Number(value.toFixed(1))]),
  ),
  wholeToParse: Number(((medians["whole"] ?? 0) / (medians["parse"] ?? 1)).toFixed(2)),
};
console.log(JSON.stringify(result, null, 2));
