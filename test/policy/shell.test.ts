import { shellParts } from "../../src/policy/shell.ts";

const brief = (text: string): string[] =>
  shellParts(text).map((part) => {
    switch (part.kind) {
      case "command":
        return `${part.at} runs ${part.words.map(({ literal }) => literal ?? "?").join(" ")}`;
      case "assignment":
        return `${part.at} sets ${part.name} to ${part.value ?? "?"}`;
      case "file":
        return `${part.at} ${part.access}s ${part.target}`;
      case "unmatchable":
        return `${part.at} ${part.reason}: ${part.text} ${part.message}`;
    }
  });

describe("the parts of a command text", () => {
  it("are its simple commands with their literal words, where they stand", () => {
    expect(brief("git log --grep='a;b' \"$x\" | head -5")).toEqual([
      "0 runs git log --grep=a;b ?",
      "28 runs head -5",
    ]);
  });

  it("include assignments and what the shell itself opens", () => {
    expect(brief("CI=1 TZ=$z cat <in >>'out file' 2>&1 3<>both")).toEqual([
      "0 runs cat",
      "0 sets CI to 1",
      "5 sets TZ to ?",
      "15 reads in",
      "19 writes out file",
      "37 read-writes both",
    ]);
  });

  it("include what runs inside words, here-documents and compound commands", () => {
    expect(brief('for f in $(ls); do echo "$(id)"; done <<E\n`pwd`\nE')).toEqual([
      "11 runs ls",
      "19 runs echo ?",
      "27 runs id",
      "43 runs pwd",
    ]);
  });

  it("leave quoted here-documents alone", () => {
    expect(brief("cat <<'E'\n$(id)\nE")).toEqual(["0 runs cat"]);
  });

  it.each([
    ["$x a", "0 expansion: $x is not a plain command name"],
    ["echo 'a", "5 parse-error: 'a is not valid Bash (unterminated single quote)"],
    ["echo $?(id)", "5 construct: $?(id) cannot be read reliably"],
    ["cat <(id)# <(pwd)", "9 construct: # <(pwd) cannot be read reliably"],
    ["echo a\u0007", "6 construct: \u0007 starts with a control character"],
    ["git log\r\ngit status", "0 construct: git log has a carriage return (a Windows line end)"],
    ["echo \u200e", "5 construct: \u200e starts with a control character"],
    ["if git diff --quiet; then", "0 parse-error: if git diff --quiet; then is not valid Bash"],
    ["[ -f $f ]", '0 expansion: [ -f $f ] has `$f` unquoted, which could become operators; write "$f"'],
    ["[[ a ]]", "0 parse-error: [[ a ]] contains no command"],
  ])("say why %j is not matched, and where", (text, reason) => {
    expect(brief(text).some((part) => part.startsWith(reason))).toBe(true);
  });
});
