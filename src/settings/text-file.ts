import { readFileSync } from "node:fs";
import type { Problems } from "./problems.ts";

const reasons: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "is not readable",
  EPERM: "is not readable",
  EISDIR: "is a directory",
  ENOTDIR: "does not exist",
};

/** A file's text without its byte order mark, or a problem that names the setting and the file. */
export const readTextFile = (setting: string, path: string, problems: Problems): string | undefined => {
  try {
    const bytes = readFileSync(path);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() !== "") return text;
    problems.add(`${setting}: ${path} is empty`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    problems.add(
      `${setting}: ${path} ${error instanceof TypeError ? "is not UTF-8 text" : (reasons[code] ?? `cannot be read (${code})`)}`,
    );
  }
  return undefined;
};
