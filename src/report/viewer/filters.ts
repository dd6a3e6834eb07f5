/** Which entries the list shows: by kind, tool, outcome, agent, time and text. */
import type { Entry, Run } from "../model.ts";
import type { Kit } from "./kit.ts";
import type { Range } from "./picture-layout.ts";

export type Filter = {
  text: string;
  kinds: Set<string>;
  tool: string;
  outcome: string;
  agent: string;
  range?: Range;
};

export const createFilters = (kit: Kit) => {
  const { el, icon, amount, outcomeName } = kit;

  const kindWords: [kind: string, label: string][] = [
    ["prompt", "prompts"],
    ["model", "model"],
    ["tool", "tools"],
    ["agent", "sub-agents"],
    ["error", "errors"],
    ["notice", "notices"],
    ["permission", "permissions"],
    ["event", "other events"],
  ];

  const everyday = (): Set<string> =>
    new Set(kindWords.map(([kind]) => kind).filter((kind) => kind !== "event"));

  const all = (): Set<string> => new Set(kindWords.map(([kind]) => kind));

  const initial = (): Filter => ({ text: "", kinds: everyday(), tool: "", outcome: "", agent: "" });

  const matcher = (filter: Filter): ((entry: Entry) => boolean) => {
    const { kinds, tool, outcome, agent, range } = filter;
    const words = filter.text
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word) => new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i"));
    const hasWord = (entry: Entry, word: RegExp): boolean =>
      word.test(entry.name) ||
      word.test(entry.title) ||
      word.test(entry.note ?? "") ||
      entry.sections.some(({ text }) => word.test(text));
    return (entry) =>
      kinds.has(entry.kind) &&
      (tool === "" || (entry.kind === "tool" && entry.name === tool)) &&
      (outcome === "" || entry.outcome === outcome) &&
      (agent === "" || entry.agent === Number(agent)) &&
      (range === undefined || (entry.at + (entry.ms ?? 0) >= range.from && entry.at <= range.to)) &&
      words.every((word) => hasWord(entry, word));
  };

  const select = (
    label: string,
    all: string,
    options: (readonly [string, string])[],
    value: string,
  ): HTMLSelectElement => {
    const node = el(
      "select",
      { "aria-label": label },
      el("option", { value: "" }, all),
      ...options.map(([key, text]) => el("option", { value: key }, text)),
    ) as HTMLSelectElement;
    node.value = value;
    return node;
  };

  const toolbar = (run: Run, filter: Filter, changed: () => void, searched: () => void) => {
    const counts = new Map<string, number>();
    const outcomes = new Map<string, number>();
    for (const { kind, outcome } of run.entries) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (outcome !== undefined) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }

    const search = el("input", {
      type: "search",
      placeholder: "Search commands, files, output …",
      "aria-label": "Search the run",
      spellcheck: "false",
      autocomplete: "off",
    }) as HTMLInputElement;
    search.value = filter.text;
    let waiting = 0;
    search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = window.setTimeout(() => {
        // What was typed before everything was cleared counts no more.
        if (!search.isConnected) return;
        filter.text = search.value;
        searched();
      }, 120);
    });

    const chips = kindWords.flatMap(([kind, label]) => {
      const number = counts.get(kind) ?? 0;
      if (number === 0) return [];
      const chip = el(
        "button.chip",
        { type: "button", "data-kind": kind, "aria-pressed": String(filter.kinds.has(kind)) },
        label,
        el("span", {}, amount(number)),
      );
      chip.addEventListener("click", () => {
        if (!filter.kinds.delete(kind)) filter.kinds.add(kind);
        chip.setAttribute("aria-pressed", String(filter.kinds.has(kind)));
        changed();
      });
      return [chip];
    });

    const tools = select(
      "Tool",
      "every tool",
      run.tools.slice(0, 500).map(({ name, calls }) => [name, `${name} (${amount(calls)})`] as const),
      filter.tool,
    );
    tools.addEventListener("change", () => {
      filter.tool = tools.value;
      changed();
    });
    const outcome = select(
      "Outcome",
      "every outcome",
      [...outcomes].map(
        ([key, number]) => [key, `${outcomeName(key).toLowerCase()} (${amount(number)})`] as const,
      ),
      filter.outcome,
    );
    outcome.addEventListener("change", () => {
      filter.outcome = outcome.value;
      changed();
    });
    const agents = select(
      "Agent",
      "every agent",
      run.agents
        .slice(0, 500)
        .map(({ name }, index) => [String(index), index === 0 ? "main agent" : name] as const),
      filter.agent,
    );
    agents.addEventListener("change", () => {
      filter.agent = agents.value;
      changed();
    });

    return el(
      "div.toolbar",
      { role: "search" },
      el("label.search", {}, icon("search"), search, el("kbd", {}, "/")),
      el("div.selects", {}, tools, outcome, run.agents.length > 1 && agents),
      el("div.chips", { role: "group", "aria-label": "Kinds of entries" }, ...chips),
    );
  };

  return { initial, all, matcher, toolbar };
};
