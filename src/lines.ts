/** The lines of a stream. Only a newline ends one: JSON may hold every other line separator. */
export async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  stream.setEncoding("utf8");
  let pieces: string[] = [];
  for await (const chunk of stream as AsyncIterable<string>) {
    const [first = "", ...rest] = chunk.split("\n");
    pieces.push(first);
    for (const piece of rest) {
      yield pieces.join("");
      pieces = [piece];
    }
  }
  const last = pieces.join("");
  if (last !== "") yield last;
}
