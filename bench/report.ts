/** A log of 100 000 events to HTML, beside the cheapest thing that can be done with the same log: parsing its lines. */
import { pageOf } from "../src/report/page.ts";
import { summaryOf } from "../src/report/summary.ts";
import { timelineOf } from "../test/report/timeline-of.ts";
import { longLog } from "../test/report/long-run.ts";
import { interleaved, ratioOf, rowOf, type Row } from "./measure.ts";

const events = 100_000;

export const benchReport = async (rounds = 5): Promise<Row[]> => {
  const log = longLog(events);
  const run = timelineOf(log, "bench");
  const timed = (work: () => unknown) => (): Promise<number> => {
    const start = performance.now();
    work();
    return Promise.resolve(performance.now() - start);
  };
  const times = await interleaved(rounds, {
    parse: timed(() =>
      log.split("\n").map((line) => (line === "" ? undefined : (JSON.parse(line) as unknown))),
    ),
    summary: timed(() => summaryOf([run])),
    whole: timed(() => pageOf([timelineOf(log, "bench")])),
  });
  return [
    rowOf("report: parse the lines of 100 000 events, nothing more", times.parse),
    rowOf("report: 100 000 events to HTML", times.whole),
    ratioOf("report: to HTML / parse alone", times.whole, times.parse),
    rowOf("report: summary of the same run", times.summary),
    { name: "report: size of the log", median: log.length / 1e6, unit: "MB" },
    { name: "report: size of the page", median: pageOf([run]).length / 1e6, unit: "MB" },
  ];
};
