/**
 * What needs neither Linux (sealing, /proc, an ordinary user beside root, the real Bash, a Chromium) nor its paths.
 * Other systems run these; that a whole run works there, the rehearsal in .github/workflows/test.yml shows.
 */
const onEverySystem = [
  "action/(documents|live-log|workflow-log)",
  "harness/(broker|credentials|environment|output-ring|retry|time-limit|token)",
  "policy/(rules|shell)",
  "rehearsal/(dialect|script)",
  "report/(page|progress|summary|timeline)",
  "session/(classify|event-log|permissions)",
  "(errors|log|nearest|redact)",
];

export default {
  roots: ["<rootDir>/test"],
  ...(process.platform !== "linux" && {
    testRegex: onEverySystem.map((name) => `[/\\\\]test[/\\\\]${name.replace("/", "[/\\\\]")}\\.test\\.ts$`),
  }),
  extensionsToTreatAsEsm: [".ts"],
  transform: { "^.+\\.ts$": ["ts-jest", { useESM: true, transpilation: true }] },
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/node24/"],
  maxWorkers: 2,
  testTimeout: 60_000,
};
