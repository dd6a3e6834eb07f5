import fc from "fast-check";
import { frameOf } from "../../src/conformance/frames.ts";
import { createMessageCounter } from "../../src/session/message-count.ts";

it("counts each message once, wherever the stream is cut", () => {
  const pieces = fc.array(fc.nat({ max: 40 }), { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: "grapheme" })), pieces, (bodies, lengths) => {
      const stream = Buffer.concat(bodies.map(frameOf));
      const count = createMessageCounter();
      let at = 0;
      let counted = 0;
      for (const length of [...lengths, stream.length]) {
        counted += count(stream.subarray(at, at + length));
        at += length;
      }
      expect(counted).toBe(bodies.length);
    }),
  );
});

it("knows headers in any order and case, and bodies that look like headers", () => {
  const count = createMessageCounter();
  const body = "Content-Length: 7\r\n\r\n";
  expect(count(Buffer.from(`content-type: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`))).toBe(1);
  expect(count(frameOf("{}"))).toBe(1);
});
