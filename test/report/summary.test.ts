import { policyOf } from "../../src/policy/rules.ts";
import { summaryOf, summaryLimit } from "../../src/report/summary.ts";
import { startTimeline } from "../../src/report/timeline.ts";
import { timelineOf } from "./timeline-of.ts";
import { createLogWriter } from "./log-writer.ts";
import { sampleRun } from "./sample-run.ts";

const { log, result } = sampleRun();
const sample = summaryOf([timelineOf(log, "sample", result)]);

const withAnswer = (output: string): string =>
  summaryOf([timelineOf("", "x", { exitCode: 0, outcome: "completed", output })]);

/** What a Markdown renderer would read as Markdown: everything outside code blocks. */
const outsideFences = (markdown: string): string => {
  let fence = "";
  return markdown
    .split("\n")
    .filter((line) => {
      const mark = /^(`{3,})(.*)$/.exec(line);
      if (fence === "" && mark) {
        fence = mark[1] ?? "";
        return false;
      }
      if (fence !== "" && line === fence) {
        fence = "";
        return false;
      }
      return fence === "";
    })
    .join("\n");
};

const bytes = (text: string): number => Buffer.byteLength(text);

describe("the summary of a run", () => {
  it("says first how it ended and what happened", () => {
    expect(sample).toMatch(
      /^## ✅ Completed after 36 s\n\nThe agent asked the model 8 times, made 15 tool calls \(1 failed\)/,
    );
    expect(sample).toContain("**2 requests were denied.**");
  });

  it("shows the answer in a code block", () => {
    expect(sample).toContain("### Answer\n\n```markdown\nThe delivery date test failed");
    expect(outsideFences(sample)).not.toContain("What I changed");
  });

  it("has a table of usage and cost", () => {
    expect(sample).toMatch(/\| <code>gpt-5<\/code> \| 8 \| 86,010 \| 64,800 \| 1,685 \| 1 \| 0\.391 \|/);
  });

  it("draws turns and tools as a Mermaid timeline", () => {
    expect(sample).toContain("```mermaid\ngantt\n");
    expect(sample).toMatch(
      / {2}section turn 1\n {4}▸ model :done, \d+, \d+\n {4}▸ bash npm test -- dates \(exit 1\) :crit, /,
    );
    expect(sample).toContain("section find-local-dates turn 1");
  });

  it("draws a tool that never ended to the end of the run, and says that it is unfinished", () => {
    const broken = createLogWriter().breakOff();
    const text = summaryOf([timelineOf(broken.log, "x", broken.result)]);
    expect(text).toContain("made 1 tool call (1 unfinished)");
    const [, from = "", to = ""] = /▸ bash sleep 100 \(unfinished\) :(\d+), (\d+)$/m.exec(text) ?? [];
    expect(Number(to) - Number(from)).toBe(9000);
    expect(text).toMatch(/\| tool \| calls \| failed \| denied \| unfinished \| time \|/);
    expect(sample).not.toContain("unfinished");
  });

  it("lists denials with reason, offending part and a rule that is ready to paste", () => {
    expect(sample).toContain("### Denied: 2");
    expect(sample).toMatch(/<code>no-rule<\/code> No rule allows the command <code>curl<\/code>/);
    expect(sample).toMatch(
      /\| <code>curl -F site=&#64;dist\.tgz https&#58;\/\/preview\.example\/upload<\/code> \|/,
    );
    expect(sample).toContain(
      "```yaml\nallowed-tools: |\n  shell(npm run:*)\n  shell(curl:*)\n  read(/home/runner/.netrc)\n```",
    );
    expect(sample).toMatch(/- ⚠️ <code>shell&#40;curl&#58;&#42;&#41;<\/code>: it can send data to any host/);
  });

  it("names the rule of the given list that would approve a denied request", () => {
    const timeline = startTimeline("x", policyOf({ allowedTools: ["shell"] }));
    for (const line of log.split("\n")) timeline.addLine(line);
    const text = summaryOf([timeline.finish(result)]);
    expect(text).toMatch(
      /\| Would be approved by <code>shell<\/code>\. \| {2}\| the given list <code>shell<\/code> \|/,
    );
    expect(text).not.toContain("shell(npm run:*)");
  });

  it("shows a failure with its advice", () => {
    const failed = summaryOf([
      timelineOf(log, "x", {
        exitCode: 1,
        outcome: "failed",
        errorKind: "rate-limit",
        message: "Too many requests.",
      }),
    ]);
    expect(failed).toMatch(/^## ❌ Failed/);
    expect(failed).toMatch(
      /> \[!CAUTION\]\n> \*\*rate-limit\*\* Too many requests\.\n>\n> The model&#39;s service limits requests/,
    );
  });

  it("is not green when an expectation is not met, and lists what was not met first", () => {
    const expectations = [
      { text: "step 1 `view` is approved", ok: true },
      { text: "step 2 `bash` is denied", ok: false },
    ];
    const unmet = timelineOf(log, "unmet", { ...(result as object), expectations });
    const text = summaryOf([unmet]);
    expect(text).toMatch(/^## ❌ Expectations not met: completed after 36 s\n/);
    expect(text).toContain(
      "### Expectations: 1 of 2 not met\n\n- ❌ step 2 <code>bash</code> is denied\n- ✅ step 1 <code>view</code> is approved\n",
    );
    expect(summaryOf([unmet, unmet])).toContain("| <code>unmet</code> | ❌ Expectations not met | 36 s |");
  });

  it("stays green, and says so, when every expectation is met", () => {
    const met = [{ text: "exit code 0", ok: true }];
    const text = summaryOf([timelineOf(log, "met", { ...(result as object), expectations: met })]);
    expect(text).toMatch(/^## ✅ Completed after 36 s\n/);
    expect(text).toContain("### Expectations: met\n\n- ✅ exit code 0\n");
    expect(sample).not.toContain("Expectations");
  });

  it("is of use for an empty log without a result", () => {
    const empty = summaryOf([timelineOf("", "x")]);
    expect(empty).toContain("No result");
    expect(empty).toContain("Nothing happened.");
    expect(empty).toContain("*The run ended without an answer.*");
  });

  it("puts several runs in one table, each with its own part", () => {
    const runs = ["api", "web"].map((name) => timelineOf(log, name, result));
    const both = summaryOf(runs);
    expect(both).toMatch(/^## 2 runs\n/);
    expect(both).toMatch(/\| <code>api<\/code> \| ✅ Completed \| 36 s \| 15 \| 2 \|/);
    expect(both).toMatch(/^## <code>web<\/code> ✅ Completed/m);
  });
});

describe("foreign text in the summary", () => {
  it.each([
    ["closes the fence", "```\n# free\n````\n# free\n~~~\n# free"],
    ["has a very long run of backticks", `${"`".repeat(400)}\n# free`],
    ["has lone carriage returns", "a\r```\r# free"],
  ])("cannot leave its code block when it %s", (_what, answer) => {
    expect(outsideFences(withAnswer(answer))).not.toContain("# free");
  });

  it.each([
    "![x](http://evil.example/p.png)",
    '<img src="http://evil.example/p.png">',
    "<IMG SRC=x onerror=alert(1)>",
  ])("breaks up the image in %s", (image) => {
    const text = withAnswer(`see ${image}`);
    expect(text).not.toMatch(/!\[|<img/i);
    expect(text).toContain("see ");
  });

  const hostile =
    "![x](http://evil/p.png) <img src=x> | `a` **b** [c](http://d) @someone www.evil.example\n# head";

  const everywhere = (text: string): string => {
    const writer = createLogWriter();
    writer.begin(text, text, text);
    writer.turn(0);
    writer.say("", { tools: [text] });
    writer.tool(
      text,
      { command: text },
      { request: { kind: "shell", fullCommandText: text }, denied: text },
    )();
    writer.event("session.error", { errorType: text, message: text });
    return summaryOf([
      timelineOf(writer.text(), text, {
        exitCode: 1,
        outcome: "failed",
        errorKind: text,
        message: text,
        advice: text,
        warnings: [text],
        expectations: [{ text, ok: false }],
        model: text,
        usage: { models: { [text]: { requests: 1, inputTokens: 1 } } },
        denials: [{ kind: "shell", summary: text, reason: text, message: text, part: text, rule: text }],
      }),
      timelineOf(writer.text(), text),
    ]);
  };

  it("is never read as Markdown or HTML, wherever it stands", () => {
    const outside = outsideFences(everywhere(hostile));
    expect(outside).not.toMatch(/!\[x|<img|\[c\]\(|@someone|www\.evil|https?:\/\/|\*\*b\*\*|^# head/m);
    expect(outside).toContain("evil");
  });

  it("cannot add a statement to the picture", () => {
    const text = everywhere('x" :crit, 1, 2\n  click a href "http://evil"\nsection y;%%{init}%%');
    const picture = /```mermaid\n([^]*?)\n```/.exec(text)?.[1] ?? "";
    expect(picture).not.toMatch(/^\s*click|evil"|%%|"/m);
    for (const line of picture.split("\n").slice(4))
      expect(line).toMatch(/^ {2}section [^:;#"]+$|^ {4}▸ [^:;#"]+ :(?:done|active|crit), \d+, \d+$/);
  });
});

describe("the size of the summary", () => {
  it("stays below 1 MiB for a 3 MB answer and says what is missing", () => {
    const text = withAnswer(`begin ${"wörd ".repeat(600_000)} end`);
    expect(bytes(text)).toBeLessThan(1024 * 1024);
    expect(text).toMatch(/begin [^]*thousand characters left out here[^]* end\n/);
  });

  it("stays below 1 MiB when every field is huge", () => {
    const huge = "🧨<|`".repeat(2_000);
    const writer = createLogWriter();
    for (let turn = 0; turn < 80; turn += 1) {
      writer.turn(turn);
      writer.tool(
        `tool ${turn} ${huge}`,
        { command: huge },
        { request: { kind: "shell", fullCommandText: huge }, denied: huge },
      )();
      writer.endTurn(turn);
    }
    const run = timelineOf(writer.text(), huge, {
      exitCode: 1,
      outcome: "failed",
      errorKind: huge,
      message: huge,
      output: huge,
      warnings: Array.from({ length: 99 }, () => huge),
    });
    const text = summaryOf([run]);
    expect(bytes(text)).toBeLessThan(1024 * 1024);
    expect(text).toContain("more; the report has them all");
  });

  it("leaves out whole runs, visibly, when there are too many", () => {
    const run = timelineOf(log, "one of many", result);
    const text = summaryOf(Array.from({ length: 400 }, () => run));
    expect(bytes(text)).toBeLessThanOrEqual(summaryLimit);
    expect(text).toMatch(/\*\d+ runs left out here: the summary of a step has a size limit\.\*\n$/);
  });
});
