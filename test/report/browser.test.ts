import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { policyOf } from "../../src/policy/rules.ts";
import type { Run } from "../../src/report/model.ts";
import { pageOf } from "../../src/report/page.ts";
import { startTimeline } from "../../src/report/timeline.ts";
import { timelineOf } from "./timeline-of.ts";
import { launchChromium } from "../support/chromium.ts";
import { createLogWriter } from "./log-writer.ts";
import { hostileRun, payloads } from "./hostile-run.ts";
import { longRun } from "./long-run.ts";
import { sampleRun } from "./sample-run.ts";

let browser: Browser;
let folder: string;
let opened = 0;
let complaints: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "report-"));
  browser = await launchChromium();
}, 120_000);

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  complaints = [];
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  expect(complaints).toEqual([]);
});

/** Opens a report from disk; whatever it says on the console or asks of the network is a complaint. */
const open = async (runs: Run[], options: { width?: number; dark?: boolean } = {}): Promise<Page> => {
  opened += 1;
  const file = join(folder, `report-${opened}.html`);
  writeFileSync(file, pageOf(runs));
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 900 },
    colorScheme: options.dark ? "dark" : "light",
  });
  const page = await context.newPage();
  const own = pathToFileURL(file).href;
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", () => complaints.push("popup"));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== own) complaints.push(`request: ${request.url().slice(0, 200)}`);
  });
  await page.goto(own);
  await page.waitForSelector("html[data-ready=yes]");
  return page;
};

const sample = (): Run => {
  const { log, result } = sampleRun();
  return timelineOf(log, "sample", result);
};

const rows = (page: Page) => page.locator(".row");
const titles = (page: Page): Promise<string[]> => page.locator(".row .title").allTextContents();

describe("the first screen", () => {
  it("says how it ended, what it did, what was denied, what it cost and how long it took", async () => {
    const page = await open([sample()]);
    await expect(page.locator("h1").textContent()).resolves.toBe(
      "Find out why the delivery date test fails on the runner, and fix it.",
    );
    const hero = (await page.locator(".hero").innerText()).replace(/\s+/g, " ");
    expect(hero).toContain("Completed after 36 s.");
    expect(hero).toContain("made 15 tool calls (1 failed), started 1 sub-agent and changed 3 files");
    expect(hero).toContain("2 requests were denied.");
    expect(hero).toContain("0.39 credits");
    const tiles = await page.locator(".tiles").boundingBox();
    expect((tiles?.y ?? 0) + (tiles?.height ?? 0)).toBeLessThan(900);
  });

  it("shows the answer with its structure", async () => {
    const page = await open([sample()]);
    await expect(page.locator(".answer h4, .answer h3").allTextContents()).resolves.toEqual([
      "What I changed",
    ]);
    await expect(page.locator(".answer li").count()).resolves.toBe(3);
    await expect(page.locator(".answer td").count()).resolves.toBe(9);
  });

  it("explains each denial, marks the part, and offers entries with what they grant", async () => {
    const page = await open([sample()]);
    await expect(page.locator(".denial").count()).resolves.toBe(2);
    await expect(page.locator(".denial mark").first().textContent()).resolves.toMatch(/^curl -F/);
    await expect(page.locator(".denial .rule > code").allTextContents()).resolves.toEqual([
      "shell(npm run:*)",
      "shell(curl:*)",
      "read(/home/runner/.netrc)",
    ]);
    await expect(page.locator(".denial .rule[data-danger]").count()).resolves.toBe(3);
  });

  it("says that the list given for the report would approve a request", async () => {
    const { log, result } = sampleRun();
    const timeline = startTimeline("sample", policyOf({ allowedTools: ["shell"] }));
    for (const line of log.split("\n")) timeline.addLine(line);
    const page = await open([timeline.finish(result)]);
    const [shell = "", read = ""] = await page.locator(".denial").allInnerTexts();
    expect(shell).toMatch(/Would be approved by shell\.\s+Show in the list$/);
    expect(read).toContain("To allow it:");
    await expect(page.locator(".denial mark").count()).resolves.toBe(1);
  });

  it("shows the same denial once, and the first few before the rest", async () => {
    const { log, result } = sampleRun();
    const run = timelineOf(log, "sample", result);
    const [shell, read] = run.denials;
    if (!shell || !read) throw new Error("the sample has two denials");
    const others = Array.from({ length: 7 }, (_, index) => ({ ...read, summary: `/etc/${index}` }));
    const page = await open([{ ...run, denials: [shell, shell, shell, ...others] }]);
    await expect(page.locator(".denial:visible").count()).resolves.toBe(5);
    await expect(page.locator(".denial .times").allTextContents()).resolves.toEqual(["×3"]);
    await page.locator(".denials summary").click();
    await expect(page.locator(".denial:visible").count()).resolves.toBe(8);
  });

  it("shows a denial in the list", async () => {
    const page = await open([sample()]);
    await page.locator(".denial .jump").first().click();
    const row = page.locator('.row[data-outcome="denied"]').first();
    await expect(row.locator(".line").getAttribute("aria-expanded")).resolves.toBe("true");
    await expect(row.locator(".details").innerText()).resolves.toContain(
      "not allowed by workflow tool permissions",
    );
  });

  it.each([320, 390, 768, 1280])("never scrolls sideways at %d pixels", async (width) => {
    const page = await open([sample()], { width });
    for (const button of await page.locator(".line").all()) await button.click();
    await expect(page.evaluate(() => document.documentElement.scrollWidth)).resolves.toBeLessThanOrEqual(
      width,
    );
  });

  it("follows the system's dark mode, and changes on request", async () => {
    const page = await open([sample()], { dark: true });
    const lightness = (): Promise<number> =>
      page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)?.[0]));
    expect(await lightness()).toBeLessThan(60);
    await page.locator(".theme").click();
    expect(await lightness()).toBeGreaterThan(200);
  });
});

describe("the picture", () => {
  it("draws model calls, tools and sub-agents", async () => {
    const page = await open([sample()]);
    await expect(page.locator('.picture .bar[data-look="model"]').count()).resolves.toBe(8);
    await expect(page.locator('.picture .bar[data-look="denied"]').count()).resolves.toBe(2);
    await expect(page.locator(".picture .agent").allTextContents()).resolves.toEqual(["↳ find-local-dates"]);
    await expect(page.locator(".usage-chart .input").count()).resolves.toBe(8);
    await expect(page.locator(".usage-chart .cost").count()).resolves.toBe(1);
  });

  it("shows the entry of a bar that is clicked", async () => {
    const page = await open([sample()]);
    await page.locator('.picture .bar[data-look="exit"]').click();
    await expect(page.locator(".row .details").innerText()).resolves.toContain("1 failed, 47 passed");
  });

  it("draws a tool that never ended to the end of the run, and explains the look", async () => {
    const { log, result } = createLogWriter().breakOff();
    const page = await open([timelineOf(log, "broken off", result)]);
    const bar = await page.locator('.picture .bar[data-look="unfinished"]').boundingBox();
    const picture = await page.locator(".picture svg").boundingBox();
    if (!bar || !picture) throw new Error("no picture");
    expect(bar.width).toBeGreaterThan(picture.width * 0.85);
    expect(picture.x + picture.width - bar.x - bar.width).toBeLessThan(3);
    await expect(page.locator(".title-line .legend").innerText()).resolves.toContain("unfinished");
    const looks = page.locator(".tools .bar i");
    await expect(
      looks.evaluateAll((pieces) => pieces.map((piece) => piece.dataset["outcome"])),
    ).resolves.toEqual(["unfinished"]);
    await expect(page.locator(".tools tr").innerText()).resolves.toMatch(/bash\s+1\s+9\.0 s/);
  });

  it("explains no look that the picture does not have", async () => {
    const page = await open([sample()]);
    await expect(page.locator(".title-line .legend").innerText()).resolves.not.toContain("unfinished");
  });

  it("looks closer when a stretch of time is dragged over, and back", async () => {
    const page = await open([sample()]);
    const all = await rows(page).count();
    await page.locator(".picture svg").scrollIntoViewIfNeeded();
    const box = await page.locator(".picture svg").boundingBox();
    if (!box) throw new Error("no picture");
    await page.mouse.move(box.x + 10, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + 8, { steps: 3 });
    await page.mouse.up();
    const some = await rows(page).count();
    expect(some).toBeGreaterThan(2);
    expect(some).toBeLessThan(all);
    await page.locator(".reset").click();
    await expect(rows(page).count()).resolves.toBe(all);
  });
});

describe("the list", () => {
  it("unfolds a call to its arguments and output, an edit to its diff", async () => {
    const page = await open([sample()]);
    await page.locator('.row[data-kind="tool"] .line', { hasText: "npm test -- dates" }).click();
    await expect(page.locator('.details [data-label="Command"] pre').textContent()).resolves.toBe(
      "npm test -- dates",
    );
    await expect(page.locator('.details [data-label="Output"] pre').textContent()).resolves.toContain(
      "1 failed, 47 passed",
    );
    await page.locator(".row .line", { hasText: "edit" }).filter({ hasText: "src/dates.js" }).last().click();
    await expect(page.locator(".diff .add").count()).resolves.toBe(3);
    await expect(page.locator(".diff .del").count()).resolves.toBe(1);
  });

  it("counts one token as one", async () => {
    const run = sample();
    const entries = run.entries.map((entry) =>
      entry.kind === "model"
        ? { ...entry, tokens: { input: 1, output: 2, cached: 0, premium: 0, cost: 0 } }
        : entry,
    );
    const page = await open([{ ...run, entries }]);
    await page.locator('.row[data-kind="model"] .line').first().click();
    await expect(page.locator(".details .facts").innerText()).resolves.toContain(" · 1 token in · ");
  });

  it("filters by kind", async () => {
    const page = await open([sample()]);
    for (const kind of ["prompt", "model", "agent"]) await page.locator(`.chip[data-kind="${kind}"]`).click();
    await expect(rows(page).count()).resolves.toBe(15);
    await expect(page.locator(".status").textContent()).resolves.toBe("15 of 27 entries");
  });

  it("filters by tool, by outcome and by agent", async () => {
    const page = await open([sample()]);
    await page.getByLabel("Tool", { exact: true }).selectOption("bash");
    await expect(rows(page).count()).resolves.toBe(5);
    await page.getByLabel("Outcome").selectOption("denied");
    await expect(titles(page)).resolves.toEqual([
      "npm run build && curl -F site=@dist.tgz https://preview.example/upload",
    ]);
    await page.getByLabel("Tool", { exact: true }).selectOption("");
    await page.getByLabel("Outcome").selectOption("");
    await page.getByLabel("Agent").selectOption("1");
    await expect(rows(page).count()).resolves.toBe(6);
  });

  it("finds words in commands and in output that is folded", async () => {
    const page = await open([sample()]);
    await page.getByLabel("Search the run").fill("America/Los_Angeles");
    await expect(
      page.waitForFunction(() => document.querySelectorAll(".row").length === 2),
    ).resolves.toBeTruthy();
    await page.getByLabel("Search the run").fill("no such words (*[");
    await expect(
      page.waitForFunction(() => document.querySelectorAll(".row").length === 0),
    ).resolves.toBeTruthy();
  });

  it.each([375, 1280])("stays at the top of the view while one searches, at %d pixels", async (width) => {
    const page = await open([sample()], { width });
    const top = (): Promise<number> =>
      page.locator(".card.list").evaluate((card) => Math.round(card.getBoundingClientRect().top));
    await page.keyboard.press("/");
    expect(await top()).toBe(8);
    for (const [text, found] of [
      ["curl", 2],
      [" nowhere", 0],
    ] as const) {
      await page.keyboard.type(text);
      await page.waitForFunction((count) => document.querySelectorAll(".row").length === count, found);
      expect(await top()).toBe(8);
    }
  });

  it("says when nothing matches, and shows everything on request", async () => {
    const page = await open([sample()]);
    await page.getByLabel("Outcome").selectOption("denied");
    await page.locator('.chip[data-kind="tool"]').click();
    await page.getByLabel("Search the run").fill("nowhere");
    await page.locator(".nothing", { hasText: "Nothing matches" }).waitFor();
    await page.getByRole("button", { name: "Show everything" }).click();
    await expect(rows(page).count()).resolves.toBe(27);
    await expect(page.locator(".status").textContent()).resolves.toBe("27 entries");
    await expect(page.getByLabel("Search the run").inputValue()).resolves.toBe("");
    await expect(page.getByLabel("Outcome").inputValue()).resolves.toBe("");
    await expect(page.locator(".nothing").count()).resolves.toBe(0);
  });

  it("is usable with the keyboard alone", async () => {
    const page = await open([sample()]);
    await page.keyboard.press("/");
    await page.keyboard.type("curl");
    await page.waitForFunction(() => document.querySelectorAll(".row").length < 5);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelectorAll(".row").length > 20);
    await page.locator(".line").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page.locator(".details").innerText()).resolves.toContain("npm test -- dates");
    await page.keyboard.press("ArrowLeft");
    await expect(page.locator(".details").count()).resolves.toBe(0);
    await page.keyboard.press("End");
    await expect(page.evaluate(() => document.activeElement?.textContent)).resolves.toContain(
      "The delivery date test failed",
    );
  });

  it("prints everything, without the controls", async () => {
    const page = await open([sample()]);
    await page.emulateMedia({ media: "print" });
    await expect(page.locator(".toolbar-host").isVisible()).resolves.toBe(false);
    await expect(page.locator(".answer").isVisible()).resolves.toBe(true);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});

describe("odd runs", () => {
  it.each([
    ["an empty log", ""],
    ["a torn line alone", '{"type":"sess'],
    ["an unknown event alone", '{"type":"quantum.flux","data":{}}'],
  ])("opens %s", async (_what, log) => {
    const page = await open([timelineOf(log, "odd")]);
    await expect(page.locator("h1").textContent()).resolves.toBe("odd");
    await expect(page.locator(".sentence").first().textContent()).resolves.toContain("Nothing happened.");
  });

  it("offers what it hides at first when there is nothing else", async () => {
    const page = await open([timelineOf('{"type":"quantum.flux","data":{}}', "odd")]);
    await page.getByRole("button", { name: "Show everything" }).click();
    await expect(rows(page).count()).resolves.toBe(1);
  });

  it("offers nothing when there is nothing", async () => {
    const page = await open([timelineOf("", "odd")]);
    await expect(page.locator(".nothing").innerText()).resolves.toBe("The log holds nothing to list.");
  });

  it("says that a log is torn and shows the rest", async () => {
    const page = await open([timelineOf(`${sampleRun().log}{"type":"x`, "torn")]);
    await expect(page.locator(".trouble").textContent()).resolves.toMatch(
      /1 line of the log could not be read/,
    );
    await expect(rows(page).count()).resolves.toBe(25);
  });

  it("says that entries are left out of a page that would be too large", async () => {
    const run = sample();
    const page = await open([{ ...run, log: { ...run.log, leftOut: 70_000 } }]);
    await expect(page.locator(".trouble").innerText()).resolves.toContain(
      "too large for one page: 70.0k entries of its middle and long texts are left out",
    );
  });

  it("shows a failure with its advice", async () => {
    const result = { exitCode: 1, outcome: "failed", errorKind: "quota", message: "No credits are left." };
    const page = await open([timelineOf(sampleRun().log, "failed", result)]);
    await expect(page.locator(".trouble").innerText()).resolves.toMatch(
      /quota No credits are left\.\s+The account's allowance/,
    );
  });
});

describe("what a rehearsal expected", () => {
  const withExpectations = (expectations: { text: string; ok: boolean }[]): Run => {
    const { log, result } = sampleRun();
    return timelineOf(log, "rehearsal", { ...(result as object), expectations });
  };
  const met = { text: "step 1: `view` is approved", ok: true };
  const unmet = { text: "step 2: `bash` is denied", ok: false };

  it("makes a run that completed look failed when it is not met", async () => {
    const page = await open([withExpectations([met, unmet])]);
    await expect(page.locator(".hero").getAttribute("data-outcome")).resolves.toBe("unmet");
    await expect(page.locator(".hero .sentence").innerText()).resolves.toMatch(
      /^Expectations not met: completed after 36 s\./,
    );
    await expect(page.title()).resolves.toMatch(/^Expectations not met: /);
    await expect(page.locator(".expectations li").allInnerTexts()).resolves.toEqual([
      "not met step 2: bash is denied",
      "met step 1: view is approved",
    ]);
    const seal = (): Promise<string> =>
      page.locator(".seal").evaluate((node) => getComputedStyle(node).backgroundColor);
    const failed = await open([{ ...sample(), outcome: "failed" }]);
    expect(await seal()).toBe(
      await failed.locator(".seal").evaluate((node) => getComputedStyle(node).backgroundColor),
    );
  });

  it("is listed when it is met, and the run stays green", async () => {
    const page = await open([withExpectations([met])]);
    await expect(page.locator(".hero").getAttribute("data-outcome")).resolves.toBe("completed");
    await expect(page.locator(".expectations").innerText()).resolves.toMatch(
      /Expectations\s+met\s+met step 1/,
    );
  });

  it("is no topic in a run without expectations", async () => {
    const page = await open([sample()]);
    await expect(page.locator(".expectations").count()).resolves.toBe(0);
  });

  it("stands out among several runs", async () => {
    const page = await open([withExpectations([met]), withExpectations([unmet])]);
    await expect(page.locator(".runs .badge").allTextContents()).resolves.toEqual([
      "Completed",
      "Expectations not met",
    ]);
    await expect(page.locator(".runs .sentence").innerText()).resolves.toContain(
      "1 run did not do what was expected.",
    );
  });
});

describe("several runs", () => {
  it("stand side by side with their totals, and each can be looked at", async () => {
    const { log, result } = sampleRun();
    const failed = timelineOf(log, "web", {
      exitCode: 1,
      outcome: "failed",
      message: "It broke.",
      durationMs: 9000,
    });
    const page = await open([timelineOf(log, "api", result), failed]);
    await expect(page.locator(".runs tbody tr").count()).resolves.toBe(2);
    await expect(page.locator(".runs tfoot").innerText()).resolves.toMatch(/Together\s+45 s\s+30\s+4/);
    await expect(page.locator(".hero").getAttribute("data-outcome")).resolves.toBe("completed");
    await page.locator(".runs tbody tr", { hasText: "web" }).locator("button").click();
    await expect(page.locator(".hero").getAttribute("data-outcome")).resolves.toBe("failed");
  });

  const folders = ["2026-03-14T09-26-53", "2026-03-15T10-00-00", "2026-03-16T11-00-00"];
  const three = (): Run[] => {
    const { log, result } = sampleRun();
    return folders.map((name) => timelineOf(log, name, result));
  };
  const isInView = (page: Page, selector: string): Promise<boolean> =>
    page
      .locator(selector)
      .first()
      .evaluate((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });

  it("are called by what they were asked, with their folder below", async () => {
    const page = await open(three());
    await expect(page.locator(".runs tbody button").allInnerTexts()).resolves.toEqual(
      folders.map(() => "Find out why the delivery date test fails on the runner, and fix it."),
    );
    await expect(page.locator(".runs tbody th .soft").allInnerTexts()).resolves.toEqual(folders);
  });

  it("can be chosen anywhere in their row, and the table stays in view", async () => {
    const page = await open(three());
    await page.locator(".runs tbody tr").nth(1).locator(".number").last().click();
    await expect(page.locator(".runs tr[aria-current=true]").innerText()).resolves.toContain(folders[1]);
    await page.waitForTimeout(300);
    await expect(isInView(page, ".runs table")).resolves.toBe(true);
    await expect(isInView(page, ".hero .sentence")).resolves.toBe(true);
  });

  it("can be chosen with the keyboard", async () => {
    const page = await open(three());
    await page.locator(".runs tbody button").nth(1).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.locator(".runs tr[aria-current=true]").innerText()).resolves.toContain(folders[2]);
  });

  it.each([320, 375, 768])("are readable at %d pixels, each number with its name", async (width) => {
    const page = await open(three(), { width });
    await expect(page.evaluate(() => document.documentElement.scrollWidth)).resolves.toBeLessThanOrEqual(
      width,
    );
    const numbers = await page.locator(".runs .number").evaluateAll((cells) =>
      cells.map((cell) => ({
        name: getComputedStyle(cell, "::before").content.replaceAll('"', ""),
        left: cell.getBoundingClientRect().left,
        right: cell.getBoundingClientRect().right,
        cut: cell.scrollWidth > cell.clientWidth + 1,
      })),
    );
    expect(numbers).toHaveLength(4 * 5);
    expect(numbers.slice(-5).map(({ name }) => name)).toEqual([
      "time",
      "tools",
      "denied",
      "tokens",
      "credits",
    ]);
    for (const { left, right, cut } of numbers) {
      expect(left).toBeGreaterThan(0);
      expect(right).toBeLessThan(width);
      expect(cut).toBe(false);
    }
    for (const name of await page.locator(".runs tbody button").all())
      expect((await name.boundingBox())?.width).toBeGreaterThan(150);
  });

  it("lead to the heading of the run where both do not fit, and back", async () => {
    const page = await open(three(), { width: 375 });
    await page.locator(".runs tbody tr").nth(2).locator(".number").first().click();
    await page.waitForFunction(
      () => (document.querySelector(".hero h1")?.getBoundingClientRect().top ?? 999) < 120,
    );
    await expect(isInView(page, ".hero h1")).resolves.toBe(true);
    await page.locator(".back").click();
    await page.waitForFunction(
      () => (document.querySelector(".runs h2")?.getBoundingClientRect().top ?? -1) >= 0,
    );
    await expect(page.evaluate(() => document.activeElement?.closest("tr")?.innerText)).resolves.toContain(
      folders[2],
    );
  });
});

describe("the strip of a run among several", () => {
  it("shows what never ended to the end", async () => {
    const { log, result } = createLogWriter().breakOff();
    const run = timelineOf(log, "broken off", result);
    const page = await open([run, run]);
    const last = page.locator(".strip").first().locator(".bar").last();
    await expect(last.getAttribute("data-look")).resolves.toBe("unfinished");
    await expect(last.getAttribute("width").then(Number)).resolves.toBeGreaterThan(130);
  });
});

describe("text of models, tools and files", () => {
  it(`stays text in every field, for ${payloads.length} payloads`, async () => {
    expect(payloads.length).toBeGreaterThanOrEqual(30);
    const runs = [hostileRun(payloads.join("\n")), ...payloads.map((payload) => hostileRun(payload))];
    const page = await open(runs);
    const looks = (): Promise<{ live: number; executed: unknown; links: string[] }> =>
      page.evaluate(() => ({
        live: document.querySelectorAll(
          "main :is(script, style, iframe, object, embed, img, image, form, base, meta, link, template, math, foreignObject, [onerror], [onload], [onclick], [style*=url])",
        ).length,
        executed: (globalThis as { pwned?: unknown }).pwned,
        links: [...document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? ""),
      }));
    for (let run = 0; run < runs.length; run += 1) {
      await page.evaluate((index) => {
        document.querySelectorAll<HTMLElement>(".runs tbody button")[index]?.click();
        document
          .querySelectorAll<HTMLElement>(".chip[aria-pressed=false], .line[aria-expanded=false], summary")
          .forEach((node) => node.click());
        document.querySelectorAll<HTMLElement>(".line[aria-expanded=false]").forEach((node) => node.click());
        for (const bar of document.querySelectorAll(".picture .bar"))
          bar.dispatchEvent(new PointerEvent("pointermove", { bubbles: true }));
      }, run);
      const { live, executed, links } = await looks();
      expect(executed).toBeUndefined();
      expect(live).toBe(0);
      expect(links.every((href) => href === "#denied")).toBe(true);
    }
    const text = await page.evaluate(() => document.body.innerText);
    expect(text).toContain("pwned");
    await page.waitForTimeout(100);
    expect((await looks()).executed).toBeUndefined();
  });

  it("does not make the page wider than the screen", async () => {
    const page = await open([hostileRun(`${"wide".repeat(200)} ${payloads.join(" ")}`)], { width: 390 });
    await page.evaluate(() =>
      document.querySelectorAll<HTMLElement>(".line").forEach((line) => line.click()),
    );
    await expect(page.evaluate(() => document.documentElement.scrollWidth)).resolves.toBeLessThanOrEqual(390);
  });

  it("shows the payloads as they are", async () => {
    const [payload = ""] = payloads;
    const page = await open([hostileRun(payload)]);
    await expect(page.locator(".denial .what").first().textContent()).resolves.toContain(payload);
    await page.locator('.row[data-kind="tool"] .line').nth(1).click();
    await expect(page.locator('[data-label="Output"] pre').first().textContent()).resolves.toContain(payload);
  });
});

describe("a log of 100 000 events", () => {
  it("opens, shows few elements at a time, and stays usable to the end", async () => {
    const page = await open([longRun(100_000)]);
    await expect(page.locator(".facts").first().innerText()).resolves.toContain("100k events");
    const elements = (): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);
    expect(await elements()).toBeLessThan(25_000);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const last = page.locator(".row", { hasText: "the last command" });
    await last.waitFor();
    await last.locator(".line").click();
    await expect(last.locator('[data-label="Output"]').innerText()).resolves.toContain("the end");
    await page.getByLabel("Search the run").fill("needle 77777");
    await page.waitForFunction(() => document.querySelectorAll(".row").length === 1);
    expect(await elements()).toBeLessThan(25_000);
  });
});
