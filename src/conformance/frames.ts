/** JSON-RPC messages as they travel between a driver and the runtime: LSP frames over TCP. */
import type { Readable } from "node:stream";

export type Message = {
  jsonrpc?: string;
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code?: number; message?: string };
};

export const frameOf = (body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]);

export const encode = (message: Message): Buffer => frameOf(JSON.stringify({ jsonrpc: "2.0", ...message }));

export const parseMessage = (body: Buffer): Message | undefined => {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    return parsed !== null && typeof parsed === "object" ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** A header that has not ended by then never will. */
const longestHeader = 8 * 1024;

/** Calls back with the body of each frame. Pieces are joined only when a frame is whole, so that huge ones stay cheap. */
export const readFrames = (stream: Readable, onBody: (body: Buffer) => void): void => {
  let pieces: Buffer[] = [];
  let size = 0;
  let needed = 1;
  stream.on("data", (data: Buffer) => {
    pieces.push(data);
    size += data.length;
    while (size >= needed) {
      let buffer = Buffer.concat(pieces);
      const headerEnd = buffer.indexOf("\r\n\r\n");
      const header = buffer.toString("latin1", 0, Math.max(headerEnd, 0));
      const length = Number(/Content-Length:\s*(\d+)/i.exec(header)?.[1] ?? 0);
      const withoutHeader = size > longestHeader ? Infinity : size + 1;
      const total = headerEnd < 0 ? withoutHeader : headerEnd + 4 + length;
      if (size >= total) {
        onBody(buffer.subarray(headerEnd + 4, total));
        buffer = buffer.subarray(total);
      }
      needed = size >= total ? 1 : total;
      size = buffer.length;
      pieces = [buffer];
    }
  });
};
