import { readFileSync } from "node:fs";
import { decide } from "../../src/policy/decide.ts";
import type { ReasonCode } from "../../src/policy/decide.ts";
import { policyOf } from "../../src/policy/rules.ts";

const page = readFileSync(new URL("../../docs/permissions.md", import.meta.url), "utf8");
const { policy } = policyOf({ allowedTools: ["shell(git:*)", "shell(head)"] });

describe("the page on permissions", () => {
  const examples = [...page.matchAll(/^(approved|denied) +(git .+?|PATH.+?|g=.+?)(?: {2,}.*)?$/gm)];

  it.each(examples.map(([, verdict = "", command = ""]) => [command, verdict]))(
    "shows `%s` as it is decided: %s",
    (command, verdict) => {
      const { decision } = decide(policy, { kind: "shell", fullCommandText: command }, "/workspace");
      expect(decision).toBe(verdict === "approved" ? "approve" : "deny");
    },
  );

  it("has examples of both", () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it("names every reason", () => {
    const reasons: Record<ReasonCode, true> = {
      "allow-all": true,
      "no-policy": true,
      rule: true,
      "no-rule": true,
      redirection: true,
      assignment: true,
      expansion: true,
      construct: true,
      "parse-error": true,
      "too-long": true,
      "protected-path": true,
      "protected-address": true,
      "protected-flag": true,
      "runtime-segment": true,
      "unknown-kind": true,
      "malformed-request": true,
    };
    for (const reason of Object.keys(reasons)) expect(page).toContain(`\`${reason}\``);
  });
});
