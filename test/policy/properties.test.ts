import fc from "fast-check";
import { decide } from "../../src/policy/decide.ts";
import type { Decision } from "../../src/policy/decide.ts";
import { createLinks } from "../../src/policy/files.ts";
import { parseRules, policyOf } from "../../src/policy/rules.ts";
import { shellParts } from "../../src/policy/shell.ts";
import { readCorpus } from "../support/corpus.ts";

const workspace = "/nonexistent/workspace";
const corpus = readCorpus();
const everyRule = [...new Set(corpus.flatMap(({ rules }) => rules))].filter((rule) => rule !== "shell");

const decideText = (allowedTools: readonly string[], fullCommandText: string): Decision =>
  decide(
    { mode: "scoped", rules: parseRules(allowedTools).rules },
    { kind: "shell", fullCommandText },
    workspace,
  );

const approves = (rules: readonly string[], text: string): boolean =>
  decideText(rules, text).decision === "approve";

const rules = ["shell(git:*)", "shell(echo)", "shell(cat)", "shell(npm run:*)", "read", "write"];

const word = fc.constantFrom(
  "a",
  "-x",
  "--y=z",
  "'q; r'",
  '"s | t"',
  "$HOME",
  '"$x"',
  "*.ts",
  "u\\ v",
  "{a,b}",
  "~/n",
  "2>&1",
  "> out",
  "< in",
  "$(git log)",
  '"$(cat f | echo)"',
  "<(echo)",
  "${x:-y}",
);
const simple = fc
  .tuple(
    fc.constantFrom("git log", "echo", "cat", "npm run test", "CI=1 git status"),
    fc.array(word, { maxLength: 4 }),
  )
  .map(([command, words]) => [...command.split(" "), ...words]);
const joiner = fc.constantFrom(";", "&&", "||", "|", "&", "\n");
/** An approved command as its tokens, with blanks between all of them. */
const tokens = fc
  .tuple(simple, fc.array(fc.tuple(joiner, simple), { maxLength: 3 }))
  .map(([first, rest]) => [...first, ...rest.flatMap(([operator, next]) => [operator, ...next])]);

describe("decisions", () => {
  it("approve everything that is put together from approved commands", () => {
    fc.assert(fc.property(tokens, (text) => approves(rules, text.join(" "))));
  });

  it("approve a whole only if every part of it is approved alone", () => {
    fc.assert(
      fc.property(tokens, (text) => {
        const parts = shellParts(text.join(" "));
        expect(parts.filter((part) => !approves(rules, part.text))).toEqual([]);
      }),
    );
    const partsOfCorpus = corpus
      .filter(
        ({ expected, command, rules: allowed }) =>
          expected === "approve" &&
          command !== undefined &&
          !allowed.some((rule) => /^shell\(.*[ |].*[^*]\)$/.test(rule)),
      )
      .flatMap(({ command, rules: allowed }) =>
        shellParts(command ?? "").map(({ text }) => ({ text, allowed })),
      )
      .filter(({ text }) => !/<<-?['"\w]/.test(text));
    expect(partsOfCorpus.length).toBeGreaterThan(300);
    for (const { text, allowed } of partsOfCorpus)
      expect({ text, ...decideText(allowed, text) }).toMatchObject({ text, decision: "approve" });
  });

  it("never turn into a denial when a rule is added, nor into an approval when one is removed", () => {
    const requests = corpus.map(({ request }) => request);
    fc.assert(
      fc.property(
        fc.subarray(everyRule),
        fc.subarray(everyRule),
        fc.constantFrom(...requests),
        (some, more, request) => {
          const decideWith = (entries: readonly string[]) =>
            decide({ mode: "scoped", rules: parseRules(entries).rules }, request, workspace).decision;
          if (decideWith(some) === "approve") expect(decideWith([...some, ...more])).toBe("approve");
          if (decideWith([...more, ...some]) === "deny") expect(decideWith(some)).toBe("deny");
        },
      ),
      { numRuns: 1200 },
    );
  });

  it("deny an approved command as soon as another one is inserted anywhere", () => {
    const intruder = fc.constantFrom(
      "; evil",
      "; evil ;",
      "$(evil)",
      '"$(evil)"',
      "`evil`",
      "| evil",
      "& evil &",
      "\nevil\n",
      "&& evil",
      "<(evil)",
      "${x:-$(evil)}",
    );
    fc.assert(
      fc.property(tokens, intruder, fc.nat(), (text, evil, at) => {
        const place = 1 + (at % text.length);
        const changed = [...text.slice(0, place), evil, ...text.slice(place)].join(" ");
        expect({ changed, ...decideText(rules, changed) }).toMatchObject({ changed, decision: "deny" });
      }),
      { numRuns: 1000 },
    );
  });

  it("deny every everyday command with another one inserted at any blank outside quotes", () => {
    const plain = corpus.filter(
      ({ file, command }) => file === "everyday.yml" && /^[^'"`\\#\n$(){}<[]*$/.test(command ?? "'"),
    );
    expect(plain.length).toBeGreaterThan(60);
    for (const { command = "", rules: allowed } of plain)
      for (const { index } of command.matchAll(/ |$/g))
        for (const evil of ["; evil ;", " $(evil) ", " | evil ", "& evil &", "\nevil\n"]) {
          const changed = `${command.slice(0, index)}${evil}${command.slice(index)}`;
          expect({ changed, decision: decideText(allowed, changed).decision }).toEqual({
            changed,
            decision: "deny",
          });
        }
  });

  it("never throw, whatever the request is", () => {
    const kinds = fc.constantFrom(
      "shell",
      "read",
      "write",
      "url",
      "mcp",
      "custom-tool",
      "memory",
      "__proto__",
    );
    const value = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }),
      fc.string({ unit: "binary" }),
    );
    const request = fc.oneof(
      fc.anything(),
      fc.jsonValue(),
      fc.record({
        kind: kinds,
        fullCommandText: value,
        path: value,
        fileName: value,
        url: fc.oneof(value, fc.webUrl()),
        serverName: value,
        toolName: value,
        toolTitle: value,
        commandSegments: value,
        resolvedPath: value,
      }),
    );
    const policy = policyOf({ allowedTools: everyRule }).policy;
    fc.assert(
      fc.property(request, (anything) => {
        expect(["approve", "deny"]).toContain(decide(policy, anything, workspace).decision);
      }),
      { numRuns: 1200 },
    );
  });

  it("never throw on requests that fight back", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        getOwnPropertyDescriptor: () => {
          throw new Error("no");
        },
      },
    );
    const policy = policyOf({ allowedTools: ["shell(git)"] }).policy;
    expect(decide(policy, hostile, workspace)).toMatchObject({
      decision: "deny",
      reason: "malformed-request",
    });
    const inherited: unknown = Object.create({ kind: "shell", fullCommandText: "git log" });
    expect(decide(policy, inherited, workspace)).toMatchObject({ decision: "deny", reason: "unknown-kind" });
  });

  it.each([
    ["substitutions", "echo " + "$(echo ".repeat(20_000) + ")".repeat(20_000)],
    ["unclosed substitutions", "echo " + "$(".repeat(60_000)],
    ["subshells", "(".repeat(60_000) + "echo" + ")".repeat(60_000)],
    ["groups", "{ ".repeat(30_000) + "echo; " + "} ".repeat(30_000)],
    ["expansions", "echo " + "${x:-".repeat(15_000) + "}".repeat(15_000)],
    ["quotes", 'echo "' + '$(echo "'.repeat(10_000)],
    ["conditions", "if echo; then ".repeat(8_000) + "fi; ".repeat(8_000)],
    ["arithmetic", "echo $((" + "(".repeat(50_000)],
    ["negations in tests", "[[ " + "! ".repeat(60_000) + "a ]]"],
  ])("deny what is nested too deeply instead of failing on it: %s", (_what, text) => {
    expect(decideText(rules, text).decision).toBe("deny");
  });

  it("deny more commands than anyone writes in one text", () => {
    expect(decideText(rules, "echo a; ".repeat(1_900))).toMatchObject({ decision: "approve" });
    expect(decideText(rules, "echo a; ".repeat(2_100))).toMatchObject({
      decision: "deny",
      reason: "too-long",
    });
    expect(decideText(rules, `echo ${"{a".repeat(20_000)}`)).toMatchObject({
      decision: "deny",
      reason: "too-long",
    });
    expect(decideText(rules, `cat ${"<<E ".repeat(200)}\n${"E\n".repeat(200)}`)).toMatchObject({
      decision: "deny",
      reason: "too-long",
    });
  });

  it.each([
    ["arithmetic", `echo ${"$[".repeat(8_000)}`],
    ["quoted arithmetic", `echo "${"$[1+".repeat(8_000)}"`],
    ["arithmetic in a here-document", `cat <<E\n${"$[".repeat(8_000)}\nE`],
    ["subscripts", `echo ${"${x[}".repeat(20_000)}`],
    ["files", "cat <x ".repeat(201)],
  ])("deny unread what would take too long to read: %s", (_what, text) => {
    expect(decideText(rules, text)).toMatchObject({ decision: "deny", reason: "too-long" });
  });

  it("deny paths that no file has, before the disk is asked", () => {
    const path = `${"a/".repeat(800)}../x`;
    expect(decideText(["shell(cat)", "read(**)"], `cat < ${path}`)).toMatchObject({
      decision: "deny",
      reason: "malformed-request",
    });
    expect(approves(["shell(cat)", "read(**)"], `cat < ${"a/".repeat(60)}../x`)).toBe(true);
  });

  it("ask the disk nothing below a folder that is not there", () => {
    const asked: string[] = [];
    const links = createLinks((path) => {
      asked.push(path);
      return { path, exists: path === "/" || path === "/w" };
    });
    expect(links("/w/a/b/c/d")).toBe("/w/a/b/c/d");
    expect(links("/w/a/b/c/e")).toBe("/w/a/b/c/e");
    expect(asked).toEqual(["/", "/w", "/w/a"]);
  });

  it("deny text longer than a shell can be given, without parsing it", () => {
    const longest = `echo ${"a".repeat(128 * 1024 - 5)}`;
    expect(decideText(rules, longest)).toMatchObject({ decision: "approve" });
    expect(decideText(rules, `${longest}a`)).toMatchObject({ decision: "deny", reason: "too-long" });
    expect(decideText(rules, `echo ${"é".repeat(66_000)}`)).toMatchObject({
      decision: "deny",
      reason: "too-long",
    });
  });
});
