/** The results as a table, for a terminal and for the documentation. */
import type { Row } from "./measure.ts";

type Results = { machine: Record<string, string>; rows: readonly Row[] };

const number = (value: number, unit: Row["unit"]): string => {
  const digits = unit === "×" ? 2 : value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, digits === 0 ? " " : "");
};

const amount = ({ median, unit }: Row): string => `${number(median, unit)} ${unit}`;

const spread = ({ low, high, unit }: Row): string =>
  low === undefined || high === undefined ? "" : `${number(low, unit)} – ${number(high, unit)}`;

const verdict = ({ median, unit, limit }: Row): string =>
  limit === undefined ? "" : `≤ ${number(limit, unit)}: ${median <= limit ? "met" : "missed"}`;

export const asText = ({ machine, rows }: Results): string => {
  const cells = rows.map((row) => [row.name, amount(row), spread(row), verdict(row)]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const lines = cells.map(([name = "", value = "", range = "", limit = ""]) =>
    `${name.padEnd(widths[0]!)}  ${value.padStart(widths[1]!)}  ${range.padStart(widths[2]!)}  ${limit}`.trimEnd(),
  );
  const about = Object.entries(machine).map(([what, value]) => `${what}: ${value}`);
  return `${[...about, "", ...lines].join("\n")}\n`;
};

export const asMarkdown = ({ machine, rows }: Results): string =>
  [
    ...Object.entries(machine).map(([what, value]) => `- ${what}: ${value}`),
    "",
    "| measured | median | 10–90 % | limit |",
    "| --- | ---: | ---: | --- |",
    ...rows.map(
      (row) => `| ${row.name.replaceAll("|", "\\|")} | ${amount(row)} | ${spread(row)} | ${verdict(row)} |`,
    ),
  ].join("\n");
