/** Keeps the beginning and the end of an output, so that a flood costs no memory and both ends can be shown. */
import { createCut } from "./cut.ts";

export type OutputRing = { add: (text: string) => void; text: () => string };

const headLimit = 4096;
const tailLimit = 8192;

export const createOutputRing = (secrets: readonly string[] = []): OutputRing => {
  const cut = createCut(secrets);
  let head = "";
  let tail = "";
  let dropped = 0;

  const add = (text: string): void => {
    const room = headLimit - head.length;
    head += text.slice(0, room);
    const rest = tail + text.slice(room);
    tail = rest.slice(-tailLimit);
    dropped += rest.length - tail.length;
  };

  const text = (): string =>
    dropped === 0
      ? cut.whole(head + tail)
      : `${cut.beginning(head)}\n… ${dropped} characters left out …\n${cut.end(tail)}`;

  return { add, text };
};
