const newline = 10;

/** Tells how many messages end in each piece of a stream of JSON-RPC messages, which stand behind LSP headers. */
export const createMessageCounter = (): ((piece: Buffer) => number) => {
  let header = "";
  let bodyLeft = 0;

  return (piece) => {
    let ended = 0;
    for (let at = 0; at < piece.length;) {
      if (bodyLeft > 0) {
        const taken = Math.min(bodyLeft, piece.length - at);
        at += taken;
        bodyLeft -= taken;
        if (bodyLeft === 0) ended++;
        continue;
      }
      const lineEnd = piece.indexOf(newline, at) + 1 || piece.length;
      header += piece.toString("latin1", at, lineEnd);
      at = lineEnd;
      if (!header.endsWith("\r\n\r\n")) continue;
      bodyLeft = Number(/content-length:\s*(\d+)/i.exec(header)?.[1] ?? 0);
      header = "";
    }
    return ended;
  };
};
