import { createWorkflowLog } from "../../src/action/workflow-log.ts";
import { readLog } from "../support/runner.ts";

const written = (use: (log: ReturnType<typeof createWorkflowLog>) => void): string => {
  let text = "";
  use(createWorkflowLog((part) => (text += part)));
  return text;
};

describe("the step's log", () => {
  it.each([
    "one\n::error::two",
    "one\r::error::two",
    "one\r\n::error::two",
    "::error::one",
    " \t::error::one",
    "\u3000\ufeff::error::one",
    "one ##[error]two",
    "\u001b[31m::error::one",
    "\u2028::error::one",
  ])("makes one harmless line of %j", (text) => {
    const line = written((log) => log.say(text));
    expect(line.split("\n")).toHaveLength(2);
    expect(readLog(line).commands).toEqual([]);
  });

  it("keeps foreign text inside an annotation and a group's title", () => {
    const text = written((log) => {
      log.group("title\n::error::forged");
      log.annotate({
        level: "warning",
        title: "a,b::c\n::error::forged",
        message: "50% \r\n::error::forged",
      });
    });
    const { commands } = readLog(text);
    expect(commands.map(({ name }) => name)).toEqual(["group", "warning"]);
    expect(commands[1]).toMatchObject({
      properties: { title: "a,b::c ::error::forged" },
      data: "50% \r\n::error::forged",
    });
  });

  it("masks each line of a secret, and quotes with a token that differs each time", () => {
    const masked = readLog(written((log) => log.mask("first-line\nsecond-line\n")));
    expect(masked.commands.map(({ data }) => data)).toEqual(["first-line", "second-line"]);
    const [one, two] = [0, 1].map(() =>
      readLog(written((log) => log.quote("::error::x\n::stop-commands::y"))),
    );
    expect(one?.commands.map(({ name }) => name)).toEqual(["stop-commands"]);
    expect(one?.commands[0]?.data).not.toBe(two?.commands[0]?.data);
    expect(one?.visible).toContain("::error::x");
  });
});
