/** The measurements that have a limit, as one picture: each bar is the share of its limit that is used. */
import type { Row } from "./measure.ts";

const width = 900;
const left = 430;
const right = 110;
const rowHeight = 30;
const top = 56;

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const shown = (text: string): string => (text.length > 58 ? `${text.slice(0, 57)}…` : text);

export const plotOf = (rows: readonly Row[]): string => {
  const limited = rows.flatMap((row) => (row.limit === undefined ? [] : [{ ...row, limit: row.limit }]));
  const room = width - left - right;
  const most = Math.max(1.1, ...limited.map(({ median, high = median, limit }) => Math.min(high / limit, 2)));
  const x = (share: number): number => left + (Math.min(share, most) / most) * room;
  const height = top + limited.length * rowHeight + 24;
  const bars = limited.map(({ name, median, low, high, limit, unit }, index) => {
    const y = top + index * rowHeight;
    const share = median / limit;
    const spread =
      low === undefined || high === undefined
        ? ""
        : `<line x1="${x(low / limit).toFixed(1)}" x2="${x(high / limit).toFixed(1)}" y1="${y + 10}" y2="${y + 10}" class="spread"/>`;
    return `
  <text x="${left - 10}" y="${y + 14}" text-anchor="end">${escape(shown(name))}</text>
  <rect x="${left}" y="${y + 2}" width="${(x(share) - left).toFixed(1)}" height="16" rx="3" class="${share <= 1 ? "met" : "missed"}"/>
  ${spread}
  <text x="${width - right + 10}" y="${y + 14}">${median.toFixed(median >= 100 ? 0 : 2)} ${unit}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Share of each limit that is used">
  <style>
    svg { background: #ffffff } text { fill: #1f2328 } .met { fill: #2da44e } .missed { fill: #cf222e }
    .limit { stroke: #57606a; stroke-dasharray: 4 3 } .spread { stroke: #1f2328; stroke-width: 1.5 }
    @media (prefers-color-scheme: dark) { svg { background: #0d1117 } text { fill: #e6edf3 } .spread { stroke: #e6edf3 } }
  </style>
  <text x="16" y="26" font-size="15" font-weight="600">Share of each limit that is used (bar: median, line: 10–90 %)</text>
  <text x="${x(1).toFixed(1)}" y="46" text-anchor="middle">limit</text>
  <line x1="${x(1).toFixed(1)}" x2="${x(1).toFixed(1)}" y1="${top - 4}" y2="${height - 18}" class="limit"/>${bars.join("")}
</svg>
`;
};
