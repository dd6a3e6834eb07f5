/** How to call this program again: as the caller did. */
import { basename, relative } from "node:path";

export const ownName = (): string => {
  const [, script = ""] = process.argv;
  const near = relative(process.cwd(), script);
  return basename(script).startsWith("copilot-driver")
    ? "copilot-driver"
    : `node ${near.length < script.length ? near : script}`;
};
