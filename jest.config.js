export default {
  roots: ["<rootDir>/test"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "^.+\\.ts$": ["ts-jest", { useESM: true, transpilation: true }] },
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/node24/"],
  maxWorkers: 2,
  testTimeout: 60_000,
};
