/** A run with very many events: mostly commands with some output. */
import type { Run } from "../../src/report/model.ts";
import { timelineOf } from "./timeline-of.ts";
import { createLogWriter } from "./log-writer.ts";

export const longLog = (events: number): string => {
  const log = createLogWriter();
  log.begin("Do a great many things.");
  let written = 2;
  for (let turn = 0; written + 7 < events; turn += 1) {
    log.turn(turn);
    log.wait(900 + ((turn * 37) % 800));
    log.say("", { tools: ["bash"] });
    const command = `step ${turn} | grep needle ${turn * 7}`;
    const request = { kind: "shell", fullCommandText: command };
    const end = log.tool(
      "bash",
      { command },
      turn % 500 === 0 ? { request, denied: "no rule" } : { request },
    );
    log.wait((turn * 53) % 2000);
    end({ result: { content: `needle ${turn}\n${"some output of a command ".repeat(8)}` } });
    log.endTurn(turn);
    written += 7;
  }
  for (; written < events - 2; written += 1) log.event("session.info", { message: "filler" });
  log.tool("bash", { command: "the last command" })({ result: { content: "the end" } });
  return log.text();
};

export const longRun = (events: number): Run => timelineOf(longLog(events), "long");
