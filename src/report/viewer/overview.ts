/** The first screen: what happened, in two seconds. Then the answer, and what did the work. */
import type { Run } from "../model.ts";
import type { Child, Kit } from "./kit.ts";
import type { createMarkdown } from "./markdown.ts";

export const createOverview = (kit: Kit, markdown: ReturnType<typeof createMarkdown>) => {
  const { el, icon, duration, amount, count } = kit;

  const tile = (name: string, value: Child, note: string, mood = ""): HTMLElement =>
    el(
      "div.tile",
      mood === "" ? {} : { "data-mood": mood },
      el("dt", {}, name),
      el("dd", {}, value),
      el("p", {}, note),
    );

  const costTile = ({ usage }: Run): HTMLElement | undefined => {
    if (usage === undefined) return undefined;
    const premium = usage.premium > 0 ? count(usage.premium, "premium request") : "no premium request";
    return usage.cost > 0
      ? tile("Cost", count(usage.cost, "credit"), premium)
      : tile("Cost", amount(usage.premium), usage.premium === 1 ? "premium request" : "premium requests");
  };

  const tiles = (run: Run): HTMLElement => {
    const tools = kit.toolCalls(run);
    const trouble = kit.callTrouble(run);
    const { usage, changes, denials } = run;
    return el(
      "dl.tiles",
      {},
      tile("Time", duration(run.durationMs), `model ${duration(run.asked.ms)}`),
      tile(
        "Tool calls",
        amount(tools),
        trouble === "" ? "none failed" : trouble,
        trouble === "" ? "" : "warn",
      ),
      tile(
        "Denied",
        amount(denials.length),
        denials.length > 0 ? "by the policy" : "nothing was refused",
        denials.length > 0 ? "bad" : "",
      ),
      usage
        ? tile(
            "Tokens",
            amount(usage.input + usage.output),
            `${amount(usage.output)} out${usage.cached > 0 ? ` · ${amount(usage.cached)} cached` : ""}`,
          )
        : tile("Model calls", amount(run.asked.times), "no token counts in the log"),
      costTile(run),
      changes &&
        changes.files.length + changes.added + changes.removed > 0 &&
        tile(
          "Changes",
          el(
            "span",
            {},
            el("span.plus", {}, `+${amount(changes.added)}`),
            " ",
            el("span.minus", {}, `−${amount(changes.removed)}`),
          ),
          changes.files.length === 0 ? "no file changed" : count(changes.files.length, "file"),
        ),
    );
  };

  const sentence = (run: Run): HTMLElement =>
    el(
      "p.sentence",
      {},
      el("strong.outcome", {}, kit.howItEnded(run).verdict),
      `${kit.howItEnded(run).rest}. ${kit.whatItDid(run)} `,
      run.denials.length > 0
        ? el("a.denied", { href: "#denied" }, kit.whatWasDenied(run))
        : kit.whatWasDenied(run),
    );

  const heading = (run: Run): string => {
    const first = run.prompt.split("\n").find((line) => line.trim() !== "") ?? "";
    return first.replace(/^#+\s*/, "").trim() || run.name;
  };

  const facts = (run: Run): HTMLElement => {
    const started = run.startedAt === undefined ? undefined : new Date(run.startedAt);
    return el(
      "p.facts",
      {},
      ...[
        run.model,
        started?.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }),
        run.runtimeVersion === undefined ? undefined : `runtime ${run.runtimeVersion}`,
        run.sessionId === undefined ? undefined : `session ${run.sessionId.slice(0, 8)}`,
        count(run.log.events, "event"),
      ].flatMap((fact) => (fact === undefined ? [] : [el("span", {}, fact)])),
    );
  };

  const trouble = (run: Run): HTMLElement | undefined => {
    const { unreadableCount, unreadable, leftOut = 0 } = run.log;
    const lines = unreadable.map(({ line, why }) => `line ${line}: ${why}`).join("; ");
    const notes: Child[] = [
      run.message !== undefined &&
        el("p", {}, run.errorKind !== undefined && el("code", {}, run.errorKind), " ", run.message),
      run.advice !== undefined && el("p.advice", {}, run.advice),
      ...run.warnings.map((warning) => el("p", {}, warning)),
      unreadableCount > 0 &&
        el(
          "p",
          {},
          `${count(unreadableCount, "line")} of the log could not be read (${lines}). The rest is shown.`,
        ),
      leftOut > 0 &&
        el(
          "p",
          {},
          `The run is too large for one page: ${count(leftOut, "entry", "entries")} of its middle and long texts are left out. The event log has everything.`,
        ),
      run.log.events === 0 && el("p", {}, "The log holds no events."),
    ];
    return notes.every((note) => note === false) ? undefined : el("div.trouble", { role: "note" }, ...notes);
  };

  const prompt = (run: Run): HTMLElement | undefined =>
    run.prompt.trim().includes("\n") || run.prompt.length > 160
      ? el("details.prompt", {}, el("summary", {}, "The whole prompt"), markdown.render(run.prompt))
      : undefined;

  const hero = (run: Run): HTMLElement =>
    el(
      "header.hero",
      { "data-outcome": kit.verdictOf(run) },
      el("div.seal", {}, icon(kit.verdictOf(run))),
      el("div", {}, el("h1", {}, heading(run)), sentence(run), facts(run)),
      prompt(run),
      trouble(run),
      tiles(run),
    );

  const expectationsShown = 8;

  const expectations = (run: Run): HTMLElement | undefined => {
    const items = [...(run.expectations ?? [])]
      .sort((a, b) => Number(a.ok) - Number(b.ok))
      .map(({ text, ok }) =>
        el(
          "li",
          { "data-outcome": ok ? "ok" : "unmet" },
          icon(ok ? "ok" : "unmet"),
          el("span", {}, el("strong", {}, ok ? "met" : "not met"), " ", markdown.line(text)),
        ),
      );
    const folded = items.slice(expectationsShown);
    return items.length === 0
      ? undefined
      : el(
          "section.card.expectations",
          { "aria-labelledby": "expectations-title" },
          el(
            "div.title-line",
            {},
            el("h2", { id: "expectations-title" }, "Expectations"),
            el("span.soft", {}, kit.howManyMet(run)),
          ),
          el("ul", {}, ...items.slice(0, expectationsShown)),
          folded.length > 0 &&
            el(
              "details.more",
              {},
              el("summary", {}, `${amount(folded.length)} more`),
              el("ul", {}, ...folded),
            ),
        );
  };

  const answer = (run: Run): HTMLElement =>
    el(
      "section.card.answer",
      { "aria-labelledby": "answer-title" },
      el("h2", { id: "answer-title" }, "Answer"),
      run.answer.trim() === ""
        ? el("p.empty", {}, "The run ended without an answer.")
        : markdown.render(run.answer),
    );

  const toolsShown = 12;

  const tools = (run: Run, filter: (tool: string) => void): HTMLElement | undefined => {
    const most = run.tools.reduce((value, { calls }) => Math.max(value, calls), 1);
    const row = ({ name, calls, failed, denied, unfinished, ms }: Run["tools"][number]): HTMLElement => {
      const bar = el("span.bar");
      for (const [mood, value] of [
        ["ok", calls - failed - denied - unfinished],
        ["failed", failed],
        ["denied", denied],
        ["unfinished", unfinished],
      ] as const) {
        const piece = el("i", { "data-outcome": mood });
        piece.style.width = `${(100 * value) / most}%`;
        if (value > 0) bar.append(piece);
      }
      const button = el("button", { type: "button", title: `Show the calls of ${name}` }, name);
      button.addEventListener("click", () => filter(name));
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, button),
        el("td.wide", {}, bar),
        el("td", {}, amount(calls)),
        el("td.soft", {}, duration(ms)),
      );
    };
    return run.tools.length === 0
      ? undefined
      : el(
          "section.card.tools",
          { "aria-labelledby": "tools-title" },
          el("h2", { id: "tools-title" }, "Tools"),
          el("table", {}, el("tbody", {}, ...run.tools.slice(0, toolsShown).map(row))),
          run.tools.length > toolsShown &&
            el("p.empty", {}, `and ${count(run.tools.length - toolsShown, "more tool")}`),
        );
  };

  const files = ({ changes, workspace }: Run): HTMLElement | undefined =>
    !changes || changes.files.length === 0
      ? undefined
      : el(
          "section.card.files",
          { "aria-labelledby": "files-title" },
          el("h2", { id: "files-title" }, "Changed files"),
          el(
            "ul",
            {},
            ...changes.files
              .slice(0, 30)
              .map((file) => el("li", {}, el("code", {}, file.replace(`${workspace ?? "\0"}/`, "")))),
            changes.files.length > 30 && el("li", {}, `and ${amount(changes.files.length - 30)} more`),
          ),
        );

  return { hero, expectations, answer, tools, files, heading };
};
