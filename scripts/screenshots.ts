// Draws the pictures of the terminal and the report that README and docs show. `npm run screenshots`.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { Run } from "../src/report/model.ts";
import { pageOf } from "../src/report/page.ts";
import { timelineOf } from "../test/report/timeline-of.ts";
import { sampleRun } from "../test/report/sample-run.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { terminalPage } from "./terminal-page.ts";

type Picture = {
  name: string;
  runs: Run[];
  width: number;
  height: number;
  scheme: "light" | "dark";
  prepare?: (page: Page) => Promise<void>;
};

const { log, result } = sampleRun();
const sample = timelineOf(log, "shop", result);
const firstLines = (count: number): string => log.split("\n").slice(0, count).join("\n");

const several = [
  timelineOf(log, "shop-api", result),
  timelineOf(firstLines(56), "shop-web", {
    exitCode: 124,
    outcome: "timed-out",
    errorKind: "timeout",
    message: "No answer within 24 s.",
    durationMs: 24_000,
    usage: { models: { "gpt-5": { requests: 5, inputTokens: 41_700, outputTokens: 1100, cost: 0.19 } } },
  }),
  timelineOf(log, "shop-billing", result),
];

const unfoldEdit = async (page: Page): Promise<void> => {
  await page.locator(".line", { hasText: "npm test -- dates" }).click();
  await page.locator(".line", { hasText: "edit" }).filter({ hasText: "src/dates.js" }).last().click();
  await page.locator("#list-title").scrollIntoViewIfNeeded();
  await page.evaluate(() => document.querySelector(".card.list")?.scrollIntoView({ behavior: "instant" }));
};

const desktop = { width: 1200, height: 1180 };
const phone = { width: 390, height: 1180 };

const pictures: Picture[] = [
  { name: "report-light", runs: [sample], ...desktop, scheme: "light" },
  { name: "report-dark", runs: [sample], ...desktop, scheme: "dark" },
  { name: "report-list", runs: [sample], ...desktop, scheme: "light", prepare: unfoldEdit },
  { name: "report-several", runs: several, width: 1200, height: 760, scheme: "light" },
  { name: "report-phone-light", runs: [sample], ...phone, scheme: "light" },
  { name: "report-phone-dark", runs: [sample], ...phone, scheme: "dark" },
];

const docs = fileURLToPath(new URL("../docs/", import.meta.url));
const tell = (name: string): void =>
  console.log(`docs/${name}.png  ${Math.round(statSync(`${docs}${name}.png`).size / 1024)} kB`);
const folder = mkdtempSync(join(tmpdir(), "screenshots-"));
const browser = await launchChromium();
for (const { name, runs, width, height, scheme, prepare } of pictures) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, pageOf(runs));
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    timezoneId: "UTC",
    locale: "en-GB",
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("html[data-ready=yes]");
  await page.locator(".picture svg").waitFor();
  await prepare?.(page);
  await page.screenshot({ path: `${docs}${name}.png` });
  await context.close();
  tell(name);
}
const screen = await browser.newPage();
await screen.setContent(await terminalPage());
await screen.locator("pre").screenshot({ path: `${docs}terminal.png` });
tell("terminal");
await browser.close();
rmSync(folder, { recursive: true, force: true });
