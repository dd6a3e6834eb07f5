import js from "@eslint/js";
import tseslint from "typescript-eslint";

const sdkHasOneImporter = {
  paths: [{ name: "@github/copilot-sdk", message: "Only src/session/sdk.ts talks to the SDK." }],
};
const settingsReadTheWorld = [
  { object: "process", property: "env", message: "Only src/settings/ and the doors read the environment." },
];
const wrongOnNode20 = { object: "URL", property: "canParse", message: "Use src/parse-url.ts." };

export default tseslint.config(
  { ignores: ["dist/", "build/", "node_modules/", "test/node24/node_modules/"] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "no-control-regex": "off",
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-imports": ["error", sdkHasOneImporter],
      "no-restricted-properties": ["error", ...settingsReadTheWorld, wrongOnNode20],
      "no-console": "error",
    },
  },
  { files: ["src/session/sdk.ts"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["src/settings/**/*.ts", "src/{action,post,cli,driver}.ts"],
    rules: { "no-restricted-properties": ["error", wrongOnNode20] },
  },
  { files: ["**/*.{js,mjs}"], extends: [tseslint.configs.disableTypeChecked] },
  {
    files: ["**/*.{js,mjs,cjs}"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        setTimeout: "readonly",
        setInterval: "readonly",
        performance: "readonly",
        Buffer: "readonly",
      },
    },
  },
);
