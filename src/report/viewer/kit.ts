/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Makes elements. Text reaches the document as text nodes only, whatever it says. */

import type { Words } from "../words.ts";

export type Child = Node | string | undefined | false;

export type Kit = ReturnType<typeof createKit>;

export const createKit = (words: Words) => {
  const append = <T extends Element>(node: T, children: readonly Child[]): T => {
    for (const child of children) if (child !== undefined && child !== false) node.append(child);
    return node;
  };

  const set = (node: Element, attributes: Record<string, string | number | undefined>): void => {
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) node.setAttribute(name, String(value));
  };

  /** `el("p.note", {}, "text")`: tag and classes are ours, never data. */
  const el = (
    name: string,
    attributes: Record<string, string | number | undefined> = {},
    ...children: Child[]
  ): HTMLElement => {
    const [tag = "div", ...classes] = name.split(".");
    const node = document.createElement(tag);
    if (classes.length > 0) node.className = classes.join(" ");
    set(node, attributes);
    return append(node, children);
  };

  const svg = (
    name: string,
    attributes: Record<string, string | number | undefined> = {},
    ...children: Child[]
  ): SVGElement => {
    const [tag = "g", ...classes] = name.split(".");
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    if (classes.length > 0) node.setAttribute("class", classes.join(" "));
    set(node, attributes);
    return append(node, children);
  };

  const iconPaths: Record<string, string> = {
    completed: "M3.5 8.5 6.5 11.5 12.5 4.5",
    ok: "M3.5 8.5 6.5 11.5 12.5 4.5",
    unmet: "M4 4 12 12M12 4 4 12",
    failed: "M4 4 12 12M12 4 4 12",
    exit: "M8 3.5V9M8 12v.5",
    denied: "M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M4.2 4.2 11.8 11.8",
    "timed-out": "M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M8 4.8V8l2.2 1.6",
    cancelled: "M4.5 4.5h7v7h-7z",
    unfinished: "M3.5 8h.5M8 8h.5M12.5 8h.5",
    unknown: "M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.5",
    chevron: "M6 3.5 10.5 8 6 12.5",
    theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
    search: "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.5 10.5 13.5 13.5",
  };

  const icon = (name: string): SVGElement =>
    svg(
      "svg.icon",
      { viewBox: "0 0 16 16", "aria-hidden": "true" },
      svg("path", { d: iconPaths[name] ?? iconPaths["unknown"] }),
    );

  return { el, svg, icon, ...words };
};
