import fc from "fast-check";
import { shellParts } from "../../src/policy/shell.ts";
import type { Part } from "../../src/policy/shell.ts";
import { executedCommands } from "../support/executed-commands.ts";

const isReadable = (parts: readonly Part[]): boolean => parts.every(({ kind }) => kind !== "unmatchable");

/** What Bash did that the reading of the text does not contain. */
const unreported = async (text: string): Promise<string[]> => {
  const parts = shellParts(text);
  const { commands, files } = await executedCommands(text);
  const names = new Set(parts.flatMap((part) => (part.kind === "command" ? [part.name] : [])));
  const targets = new Set(parts.flatMap((part) => (part.kind === "file" ? [part.target] : [])));
  return [...commands.filter((name) => !names.has(name)), ...files.filter((file) => !targets.has(file))];
};

const { script } = fc.letrec<{ script: string; pipeline: string; command: string; word: string }>((tie) => ({
  script: fc
    .array(tie("pipeline"), { minLength: 1, maxLength: 3 })
    .chain((list) => fc.constantFrom("; ", " && ", " || ", "\n", " & ").map((between) => list.join(between))),
  pipeline: fc.array(tie("command"), { minLength: 1, maxLength: 2 }).map((commands) => commands.join(" | ")),
  command: fc.oneof(
    { maxDepth: 3, depthIdentifier: "nesting" },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom("c1", "c2", "'c3'", "\\c4", 'c"5"'), fc.array(tie("word"), { maxLength: 3 }))
        .map(([name, words]) => [name, ...words].join(" ")),
    },
    tie("script").map((body) => `{ ${body}; }`),
    tie("script").map((body) => `(${body})`),
    tie("script").map((body) => `if ${body}; then c6; fi`),
    tie("script").map((body) => `for x in a b; do ${body}; done`),
    tie("script").map((body) => `case a in a) ${body};; esac`),
    tie("script").map((body) => `[[ -n "$(${body})" ]]`),
    tie("script").map((body) => `f${body.length}() { ${body}; }; f${body.length}`),
    tie("script").map((body) => `c7 <<E\n$(${body})\nE\n`),
    tie("script").map((body) => `c7 <<'E'\n$(${body})\nE\n`),
  ),
  word: fc.oneof(
    { maxDepth: 3, depthIdentifier: "nesting" },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        "a",
        "'b; c8'",
        '"d | c8"',
        "e\\;c8",
        "$x",
        "{f,g}",
        "> o",
        "2>&1",
        "#c8",
        "h#c8",
        "'$(c8)'",
        "$'i\\'c8'",
        "< /dev/null",
      ),
    },
    tie("script").map((body) => `$(${body})`),
    tie("script").map((body) => `"$(${body})"`),
    tie("script").map((body) => `<(${body})`),
    tie("script").map((body) => `\${x:-$(${body})}`),
    tie("script").map((body) => `<<< "$(${body})"`),
  ),
}));

const fragments = [
  "c1",
  "c2",
  "a",
  "'",
  '"',
  "\\",
  "$(",
  ")",
  "`",
  "${x:-",
  "}",
  "{ ",
  "; }",
  ";",
  " & ",
  "|",
  "\n",
  " ",
  "<<E\n",
  "\nE\n",
  "<<'E'\n",
  "#",
  " #",
  "$'",
  "((",
  "))",
  "$((",
  "[[ ",
  " ]]",
  "if ",
  "; then ",
  "; fi",
  "for x in ",
  "; do ",
  "; done",
  "! ",
  "x=",
  "(",
  "<(",
  ">(",
  "> o",
  ">&",
  "<<<",
  "f() ",
  "\\\n",
  "*",
  "[",
  "]",
  "@(",
  "$x",
  "{a,b}",
  "1",
  "{v}",
  "time ",
];

/** Readable text after something was inserted or cut out: where two parsers would disagree. */
const damaged = fc
  .tuple(
    script,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...fragments, undefined)), { minLength: 1, maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, [place, fragment]) => {
      const at = place % (changed.length + 1);
      return `${changed.slice(0, at)}${fragment ?? ""}${changed.slice(fragment === undefined ? at + 2 : at)}`;
    }, text),
  );

describe("the reading of command text, against real Bash", () => {
  it("reports everything that Bash executes or writes", async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(script, async (text) => {
        fc.pre(isReadable(shellParts(text)));
        compared += 1;
        expect({ text, unreported: await unreported(text) }).toEqual({ text, unreported: [] });
      }),
      { numRuns: 150, seed: 20, maxSkipsPerRun: 1000 },
    );
    expect(compared).toBeGreaterThanOrEqual(150);
  });

  it("reports it, or refuses to read, when the text is damaged", async () => {
    await fc.assert(
      fc.asyncProperty(damaged, async (text) => {
        fc.pre(isReadable(shellParts(text)));
        expect({ text, unreported: await unreported(text) }).toEqual({ text, unreported: [] });
      }),
      { numRuns: 150, seed: 21, maxSkipsPerRun: 1000 },
    );
  });

  it.each([
    ["a comment that is none", "c1 <(c2)# >(c3)"],
    ["a process substitution after a digit", "c1 1>(c2)"],
    ["a process substitution after a brace", "c1 {v}>(c2)"],
    ["quotes that do not quote inside quotes", "c1 \"${x:-'$'$(c2)'}'}\""],
    ["a substitution of newer versions", "c1 ${ { c2; } & c3"],
    ["a quoted target", ">&\\'^^"],
  ])("does not approve where parser and Bash disagree: %s", async (_what, text) => {
    const silent = shellParts(text).filter(({ kind }) => kind === "unmatchable").length === 0;
    expect(silent && (await unreported(text)).length > 0).toBe(false);
  });
});
