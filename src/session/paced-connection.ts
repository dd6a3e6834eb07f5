import type { Socket } from "node:net";
import { Duplex, PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createMessageCounter } from "./message-count.ts";

/** A burst of this size is read at once, so that it is ours whatever happens to the connection. */
const mostWaitingBytes = 1024 * 1024;

/** A message passes through a few turns of the event loop until it is handled. */
const turnsToSettle = 8;

const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await nextTurn();
};

/**
 * The connection as the SDK sees it. Its JSON-RPC library handles one message per turn of the event loop and reads
 * without regard to that: here as many turns pass as messages came, and meanwhile the sender waits. The library also
 * drops what it has not handled when the connection ends: here the end is told after everything that came before it.
 */
export const paceConnection = (socket: Socket, onLost: () => void): Duplex => {
  const received = socket.pipe(new PassThrough({ highWaterMark: mostWaitingBytes }));
  socket.once("close", () => received.end());

  const connection = new Duplex({
    read: () => {},
    // A write that fails is not told: the end of the connection is, when its turn has come.
    write: (data: Buffer, encoding, done) => void socket.write(data, encoding, () => done()),
    final: (done) => void socket.end(() => done()),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });

  const deliver = async (): Promise<void> => {
    const countMessages = createMessageCounter();
    for await (const piece of received as AsyncIterable<Buffer>) {
      connection.push(piece);
      await turns(countMessages(piece));
    }
    await turns(turnsToSettle);
    if (!connection.destroyed && !connection.writableEnded) onLost();
    connection.destroy();
  };
  void deliver();

  return connection;
};
