import { createHash } from "node:crypto";
import { pageOf } from "../../src/report/page.ts";
import type { Run } from "../../src/report/model.ts";
import { timelineOf } from "./timeline-of.ts";
import { createLogWriter } from "./log-writer.ts";
import { longRun } from "./long-run.ts";
import { sampleRun } from "./sample-run.ts";

const { log, result } = sampleRun();
const page = pageOf([timelineOf(log, "sample", result)]);

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("the page", () => {
  it("allows its own script and style by hash and nothing else", () => {
    const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    const [, script = ""] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "trusted-types 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  it("names no other file and no host", () => {
    const own = page.replace(/<script type="application\/json"[^]*?<\/script>/, "");
    expect(own.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|\bsrc=|@import|url\(/);
  });

  it("never writes text into the document as markup", () => {
    expect(page).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
  });

  it("keeps data that looks like markup inside its JSON", () => {
    const text = "</script><!--<script>\u2028\u2029&amp;";
    const hostile = pageOf([timelineOf("", text, { exitCode: 0, output: text })]);
    expect(hostile.match(/<\/?script/g)).toEqual(page.match(/<\/?script/g));
    expect(hostile).not.toMatch(/<!--|\u2028|\u2029/);
    const [, json = ""] = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec(hostile) ?? [];
    expect(JSON.parse(json)).toMatchObject([{ name: text, answer: text }]);
  });

  it("is the same for the same run", () => {
    expect(pageOf([timelineOf(log, "sample", result)])).toBe(page);
  });

  it("cuts long texts shorter when there are very many", () => {
    const writer = createLogWriter();
    for (let call = 0; call < 1200; call += 1)
      writer.tool("bash", { command: "cat" })({ result: { content: "x".repeat(48_000) } });
    const large = pageOf([timelineOf(writer.text(), "large")]);
    expect(Buffer.byteLength(large)).toBeLessThanOrEqual(40 * 1024 * 1024);
    expect(large).toContain("left out here");
  });
});

describe("the size of the page", () => {
  const runOf = (text: string): Run => {
    const writer = createLogWriter();
    for (let call = 0; call < 40; call += 1)
      writer.tool("bash", { command: "cat" })({ result: { content: text } });
    return timelineOf(writer.text(), "x");
  };
  const limit = 400_000;
  const dataOf = (html: string): Run[] => {
    const [, json = ""] = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec(html) ?? [];
    return JSON.parse(json) as Run[];
  };

  it.each<[string, Run[]]>([
    ["outputs", [runOf("x".repeat(40_000))]],
    ["characters that take several bytes", [runOf("漢".repeat(7_000))]],
    ["characters that have to be escaped", [runOf("<&>\n".repeat(2_000))]],
    ["entries", [longRun(12_000)]],
    ["runs", Array.from({ length: 30 }, () => runOf("some output"))],
    ["answers", [timelineOf("", "x", { exitCode: 0, output: "word ".repeat(200_000) })]],
    ["warnings", [timelineOf("", "x", { exitCode: 0, warnings: new Array(50_000).fill("careful") })]],
  ])("holds for very many or very long %s", (_what, runs) => {
    const html = pageOf(runs, limit);
    expect(Buffer.byteLength(JSON.stringify(runs))).toBeGreaterThan(limit * 0.6);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(limit);
    expect(dataOf(html)).toHaveLength(runs.length);
  });

  it("leaves out the middle of a list that is too long, and keeps its counts and its denials right", () => {
    const writer = createLogWriter();
    const request = { kind: "shell", fullCommandText: "ls" };
    for (let call = 0; call < 4_000; call += 1)
      writer.tool(
        "bash",
        { command: `ls ${call}` },
        { request, ...(call % 1333 === 0 && { denied: "no" }) },
      )();
    const run = timelineOf(writer.text(), "x");
    const [shown] = dataOf(pageOf([run], limit));
    if (!shown) throw new Error("no run");
    expect(shown.log.leftOut).toBe(run.entries.length - shown.entries.length);
    expect(shown.entries[0]?.line).toBe(1);
    expect(shown.entries.at(-1)?.title).toBe("ls 3999");
    expect(shown.asked).toEqual(run.asked);
    const places = shown.denials.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    expect(places.map((place) => shown.entries[place]?.title)).toEqual(["ls 0", "ls 3999"]);
  });

  it("changes nothing that fits", () => {
    const runs = [timelineOf(log, "sample", result), runOf("x".repeat(40_000))];
    expect(dataOf(pageOf(runs))).toEqual(JSON.parse(JSON.stringify(runs)));
  });
});
