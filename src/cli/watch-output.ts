/** A reader that went away or a full disk: no stack trace, and no success either where the output is lost. */

/** Hands back the exit code of a command whose own is given. */
export const watchOutput = (): ((exitCode: number) => number) => {
  let lost = false;
  process.stderr.on("error", () => {});
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (lost) return;
    lost = true;
    // Whoever stops reading, as `head` does, knows it.
    if (error.code !== "EPIPE")
      process.stderr.write(`copilot-driver: The output could not be written (${error.message}).\n`);
    process.exitCode ||= 1;
  });
  return (exitCode) => exitCode || (lost ? 1 : 0);
};
