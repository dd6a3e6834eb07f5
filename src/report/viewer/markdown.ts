/** A reading view of Markdown made of text nodes: structure is kept, links and images stay words. */
import type { Child, Kit } from "./kit.ts";

export const createMarkdown = (kit: Kit) => {
  const { el } = kit;

  // Every repetition is bounded: hostile text must not make the page slow.
  const inlinePattern =
    /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|__([^_\n]{1,500})__|\*([^*\s][^*\n]{0,500})\*|~~([^~\n]{1,500})~~|(!?)\[([^[\]\n]{0,300})\]\(([^()\s]{0,500})\)/g;

  const inline = (text: string): Child[] => {
    const nodes: Child[] = [];
    let last = 0;
    for (const match of text.matchAll(inlinePattern)) {
      const [whole, code, strong, strong2, emphasis, struck, bang, label, target] = match;
      nodes.push(text.slice(last, match.index));
      last = match.index + whole.length;
      if (code !== undefined) nodes.push(el("code", {}, code));
      else if (strong !== undefined || strong2 !== undefined) nodes.push(el("strong", {}, strong ?? strong2));
      else if (emphasis !== undefined) nodes.push(el("em", {}, emphasis));
      else if (struck !== undefined) nodes.push(el("s", {}, struck));
      else
        nodes.push(
          el("span.link", {}, `${bang ? "image: " : ""}${label ?? ""}`),
          el("span.target", {}, ` (${target ?? ""})`),
        );
    }
    nodes.push(text.slice(last));
    return nodes;
  };

  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());

  const isTableRule = (line: string | undefined): boolean =>
    line !== undefined && line.includes("-") && line.includes("|") && /^[\s:|-]+$/.test(line);

  const table = (lines: readonly string[]): HTMLElement => {
    const [head = "", , ...body] = lines;
    const row = (tag: string, line: string): HTMLElement =>
      el("tr", {}, ...cells(line).map((cell) => el(tag, {}, ...inline(cell))));
    return el(
      "div.scroll",
      {},
      el(
        "table",
        {},
        el("thead", {}, row("th", head)),
        el("tbody", {}, ...body.map((line) => row("td", line))),
      ),
    );
  };

  const listItem = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;

  const list = (lines: readonly string[]): HTMLElement => {
    const ordered = /^\s*\d/.test(lines[0] ?? "");
    const node = el(ordered ? "ol" : "ul");
    for (const line of lines) {
      const match = listItem.exec(line);
      const last = node.lastElementChild;
      if (!match) {
        if (last)
          last.append(" ", ...inline(line.trim()).filter((child) => child !== undefined && child !== false));
        continue;
      }
      const depth = Math.min(3, Math.floor((match[1] ?? "").replaceAll("\t", "  ").length / 2));
      const done = /^\[([ xX])\]\s+/.exec(match[2] ?? "");
      const words = (match[2] ?? "").slice(done?.[0].length ?? 0);
      node.append(
        el(
          "li",
          { "data-depth": depth },
          done ? (done[1] === " " ? "☐ " : "☑ ") : undefined,
          ...inline(words),
        ),
      );
    }
    return node;
  };

  /** Lines from `from` for which `belongs` holds. */
  const take = (
    lines: readonly string[],
    from: number,
    belongs: (line: string) => boolean,
  ): readonly string[] => {
    let end = from;
    while (end < lines.length && belongs(lines[end] ?? "")) end += 1;
    return lines.slice(from, end);
  };

  const startsBlock = (line: string): boolean =>
    line.trim() === "" || /^(?:#{1,6}\s|\s*(?:```|~~~)|>|\s*(?:[-*+]|\d{1,9}[.)])\s)/.test(line);

  const render = (text: string): HTMLElement => {
    const root = el("div.prose");
    const lines = text.split(/\r?\n/);
    let at = 0;
    while (at < lines.length) {
      const line = lines[at] ?? "";
      const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      const heading = /^(#{1,6})\s+(.*)$/.exec(line);
      if (line.trim() === "") at += 1;
      else if (fence !== undefined) {
        const body = take(lines, at + 1, (candidate) => !candidate.trim().startsWith(fence));
        root.append(el("pre", {}, el("code", {}, body.join("\n"))));
        at += body.length + 2;
      } else if (heading) {
        const level = Math.min(6, (heading[1] ?? "").length + 2);
        root.append(el(`h${level}`, {}, ...inline((heading[2] ?? "").trim().replace(/ #+$/, ""))));
        at += 1;
      } else if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
        root.append(el("hr"));
        at += 1;
      } else if (line.startsWith(">")) {
        const body = take(lines, at, (candidate) => candidate.startsWith(">"));
        root.append(
          el("blockquote", {}, ...inline(body.map((quoted) => quoted.replace(/^>\s?/, "")).join("\n"))),
        );
        at += body.length;
      } else if (line.includes("|") && isTableRule(lines[at + 1])) {
        const body = take(lines, at, (candidate) => candidate.includes("|"));
        root.append(table(body));
        at += body.length;
      } else if (listItem.test(line)) {
        const body = take(lines, at, (candidate) => listItem.test(candidate) || /^\s{2,}\S/.test(candidate));
        root.append(list(body));
        at += body.length;
      } else {
        const rest = take(lines, at + 1, (candidate) => !startsBlock(candidate));
        root.append(el("p", {}, ...inline([line, ...rest].join("\n"))));
        at += rest.length + 1;
      }
    }
    return root;
  };

  /** One line of a message of ours, in which names stand between backticks. */
  const line = (text: string): HTMLElement => el("span", {}, ...inline(text));

  return { render, line };
};
