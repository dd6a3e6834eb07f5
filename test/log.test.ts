import { createLog, logLevels, type LogLevel } from "../src/log.ts";

const linesAt = (level: LogLevel): string[] => {
  const lines: string[] = [];
  const log = createLog({ prefix: "p", level, write: (line) => lines.push(line) });
  for (const method of ["always", "error", "warning", "info", "debug"] as const) log[method](method);
  return lines;
};

it.each([
  ["none", 1],
  ["error", 2],
  ["warning", 3],
  ["info", 4],
  ["debug", 5],
  ["all", 5],
] as const)("at level %s writes %i of five entries, the required one always", (level, count) => {
  expect(linesAt(level)).toHaveLength(count);
  expect(linesAt(level)[0]).toBe("[p] always\n");
});

it("knows the specification's levels", () => {
  expect(logLevels).toEqual(["none", "error", "warning", "info", "debug", "all"]);
});

it("writes one line per entry, whatever the fields hold", () => {
  const lines: string[] = [];
  const log = createLog({
    prefix: "p",
    level: "all",
    write: (line) => lines.push(line),
    redact: (text) => text.replaceAll("secret", "***"),
  });
  log.info("message", {
    plain: "a",
    spaced: "a b",
    broken: "a\n[p] forged\u001b[2J\u2028",
    empty: "",
    absent: undefined,
    number: 3,
    hidden: "a secret",
  });
  expect(lines).toEqual([
    '[p] message plain=a spaced="a b" broken="a\\n[p] forged\\u001b[2J\\u2028" empty="" number=3 hidden="a ***"\n',
  ]);
});

it("redacts values as they are, not as they are quoted", () => {
  const lines: string[] = [];
  const redact = (text: string) => text.replace(/\bsecret\b/g, "***");
  const log = createLog({ prefix: "p", level: "all", write: (line) => lines.push(line), redact });
  log.info("message", { broken: "a\nsecret" });
  expect(lines).toEqual(['[p] message broken="a\\n***"\n']);
});
