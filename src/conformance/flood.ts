/** Whatever a driver says, on any way, is counted together: above a bound that no driver needs, it is a flood. */
export type Flood = { count: (bytes: number) => void; signal: AbortSignal };

export const floodBytes = 64 * 1024 * 1024;

export const watchForFlood = (): Flood => {
  const over = new AbortController();
  let bytes = 0;
  return {
    signal: over.signal,
    count: (more) => {
      bytes += more;
      if (bytes > floodBytes) over.abort();
    },
  };
};
