/** A network of our own between driver and runtime: slow, cut, reset or silent at will. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export type Line = { driver: Socket; runtime: Socket };

/** Changes a piece on its way; nothing handed back means that it is lost. */
type Change = (piece: Buffer, line: Line) => Buffer | undefined | Promise<Buffer | undefined>;

export type Weather = {
  toDriver?: Change;
  toRuntime?: Change;
  onConnect?: (line: Line) => void;
};

const pump = (from: Socket, to: Socket, line: Line, change: Change = (piece) => piece): void => {
  let order = Promise.resolve();
  from.on("data", (piece: Buffer) => {
    order = order.then(async () => {
      const changed = await change(piece, line);
      if (changed && !to.destroyed) to.write(changed);
    });
  });
  from.on("close", () => to.destroy());
  from.on("error", () => undefined);
};

export const startProxy = async (target: string, weather: Weather) => {
  const [host = "", port = ""] = target.split(":");
  const sockets = new Set<Socket>();
  const server = createServer((driver) => {
    const runtime = connect(Number(port), host);
    const line = { driver, runtime };
    for (const socket of [driver, runtime]) sockets.add(socket);
    pump(driver, runtime, line, weather.toRuntime);
    pump(runtime, driver, line, weather.toDriver);
    weather.onConnect?.(line);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    uri: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

export const slow =
  (ms: number) =>
  async (piece: Buffer): Promise<Buffer> => {
    await delay(ms);
    return piece;
  };

/** Lets so many bytes through, then acts. */
export const after = (bytes: number, act: (line: Line) => void): Change => {
  let passed = 0;
  return (piece, line) => {
    const room = Math.max(bytes - passed, 0);
    passed += piece.length;
    if (passed > bytes) setImmediate(act, line);
    return piece.subarray(0, room);
  };
};

/** One byte at a time, each in a packet of its own. */
export const dribble = async (piece: Buffer, { driver }: Line): Promise<undefined> => {
  driver.setNoDelay(true);
  for (let offset = 0; offset < piece.length && !driver.destroyed; offset += 7) {
    driver.write(piece.subarray(offset, offset + 7));
    if (offset % 700 === 0) await delay(1);
  }
};
