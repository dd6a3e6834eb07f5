/** What kind of program a file is, from its first bytes: a wrong one gives riddles when it is started. */
import { closeSync, openSync, readSync } from "node:fs";

export type ExecutableFormat = "binary" | "script" | "foreign" | "unreadable";

const elfMachines: Partial<Record<string, number>> = { x64: 62, arm64: 183 };

const isBinaryHere = (head: Buffer): boolean => {
  switch (process.platform) {
    case "linux":
      return (
        head.toString("latin1", 0, 4) === "\x7fELF" && head.readUInt16LE(18) === elfMachines[process.arch]
      );
    case "darwin":
      return [0xfeedfacf, 0xbebafeca, 0xcafebabe].includes(head.readUInt32LE(0));
    default:
      return head.toString("latin1", 0, 2) === "MZ";
  }
};

export const formatOf = (path: string): ExecutableFormat => {
  const head = Buffer.alloc(20);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, head);
    } finally {
      closeSync(file);
    }
  } catch {
    return "unreadable";
  }
  if (head.toString("latin1", 0, 2) === "#!") return "script";
  return isBinaryHere(head) ? "binary" : "foreign";
};
