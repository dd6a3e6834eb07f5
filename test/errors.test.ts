import { Failure, failureKinds } from "../src/errors.ts";

it("gives every kind an exit code, a retry class and advice that a person can act on", () => {
  for (const kind of failureKinds) {
    const failure = new Failure(kind, "what happened");
    expect(failure.exitCode).toBeGreaterThan(0);
    expect(typeof failure.retryable).toBe("boolean");
    expect(failure.advice).toMatch(/^[A-Z].{20,}\.$/);
  }
});

it.each([
  ["configuration", 2],
  ["denied", 3],
  ["timeout", 124],
  ["stalled", 124],
  ["runtime-crashed", 1],
] as const)("exits on %s with %i", (kind, exitCode) => {
  expect(new Failure(kind, "").exitCode).toBe(exitCode);
});
