/** Runs → one self-contained HTML file. Model text travels as JSON and reaches the document as text only. */
import { createHash } from "node:crypto";
import { embed } from "./embed.ts";
import type { Run } from "./model.ts";
import { createDenials } from "./viewer/denials.ts";
import { createDetails } from "./viewer/details.ts";
import { createFilters } from "./viewer/filters.ts";
import { createKit } from "./viewer/kit.ts";
import { createList } from "./viewer/list.ts";
import { createMarkdown } from "./viewer/markdown.ts";
import { createOverview } from "./viewer/overview.ts";
import { createLayout } from "./viewer/picture-layout.ts";
import { createPicture } from "./viewer/picture.ts";
import { createRuns } from "./viewer/runs.ts";
import { startViewer, type Parts } from "./viewer/start.ts";
import { style } from "./viewer/style.ts";
import { createUsageChart } from "./viewer/usage-chart.ts";
import { createWords } from "./words.ts";

const parts: Parts = {
  createWords,
  createKit,
  createMarkdown,
  createDenials,
  createDetails,
  createFilters,
  createList,
  createOverview,
  createLayout,
  createPicture,
  createRuns,
  createUsageChart,
};

/** The parts need nothing but their arguments, so their own source text can travel to the browser. */
const script = `(${String(startViewer)})({${Object.entries(parts)
  .map(([name, part]) => `${name}:${String(part)}`)
  .join(",\n")}});`;

/** A page that a browser opens in a second or two. */
const pageLimit = 40 * 1024 * 1024;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const pageOf = (runs: readonly Run[], limit = pageLimit): string => {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "trusted-types 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  const before = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>copilot-driver run report</title>
<style>${style}</style>
</head>
<body>
<main><noscript>This report is drawn by a script of its own, which this viewer does not run. Open the file in a browser.</noscript></main>
<script type="application/json" id="data">`;
  const after = `</script>
<script>${script}</script>
</body>
</html>
`;
  return before + embed(runs, limit - Buffer.byteLength(before + after)) + after;
};
