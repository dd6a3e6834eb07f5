import { createHash } from "node:crypto";
import { pageOf } from "../../src/report/page.ts";
import { timelineOf } from "../../src/report/timeline.ts";
import { createLogWriter } from "./log-writer.ts";
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
    expect(large.length).toBeLessThan(42 * 1024 * 1024);
    expect(large).toContain("left out here");
  });
});
