/**
 * Lint rules for the whole project: type-checked TypeScript rules, the Office rules on batching, and
 * the bans that keep rooms clean (time, network and Node enter through parameters).
 */
import { fileURLToPath } from "node:url";
import eslint from "@eslint/js";
import globals from "globals";
import officeAddins from "eslint-plugin-office-addins";
import tseslint from "typescript-eslint";

const clockOnly = "Time enters through a Clock parameter.";
const strayTime = ["setTimeout", "setInterval", "setImmediate", "requestIdleCallback", "queueMicrotask"].map(
  (name) => ({ name, message: clockOnly }),
);
/** A timer too, and one that a garbage collection may lose. */
const strayTimeLimit = {
  selector: "CallExpression[callee.object.name='AbortSignal'][callee.property.name='timeout']",
  message: clockOnly,
};
const strayNode = ["process", "Buffer", "global", "require", "__dirname"].map((name) => ({
  name,
  message: "This room runs in the page: no Node.",
}));
const strayFetch = [{ name: "fetch", message: "The network enters through a Transport parameter." }];
const strayPage = ["window", "document", "localStorage", "sessionStorage", "navigator", "location"].map(
  (name) => ({
    name,
    message: "The page belongs to taskpane, addin and browser-workbook.",
  }),
);
const nodeImports = { patterns: [{ group: ["node:*"], message: "No Node outside server and test." }] };

export default tseslint.config(
  { ignores: ["dist/", "node_modules/"] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: fileURLToPath(new URL("..", import.meta.url)) },
    },
    plugins: { "office-addins": officeAddins },
    rules: {
      "max-params": ["error", 3],
      "max-lines": ["error", { max: 500 }],
      "no-console": "error",
      eqeqeq: "error",
      curly: ["error", "multi-line"],
      "no-duplicate-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  {
    files: ["src/workbook/**", "src/addin/**"],
    rules: {
      "office-addins/call-sync-after-load": "error",
      "office-addins/call-sync-before-read": "error",
      "office-addins/load-object-before-read": "error",
      "office-addins/no-empty-load": "error",
      "office-addins/no-navigational-load": "error",
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    rules: { "no-restricted-imports": ["error", nodeImports] },
  },
  {
    files: ["test/**/*.{ts,tsx}"],
    ignores: ["test/helpers/properties.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { name: "fast-check", message: "Properties begin from one seed: test/helpers/properties." },
      ],
    },
  },
  {
    files: ["src/{domain,api,engine,cells,connection,functions,workbook,embedded-service}/**/*.ts"],
    rules: { "no-restricted-globals": ["error", ...strayTime, ...strayFetch, ...strayPage, ...strayNode] },
  },
  {
    files: ["src/taskpane/**/*.{ts,tsx}"],
    rules: { "no-restricted-globals": ["error", ...strayTime, ...strayFetch, ...strayNode] },
  },
  {
    files: ["src/{addin,browser-workbook}/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", ...strayNode],
      "no-restricted-syntax": ["error", strayTimeLimit],
    },
  },
  {
    files: [
      "src/{domain,api,engine,cells,connection,functions,workbook,taskpane,embedded-service}/**/*.{ts,tsx}",
    ],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: clockOnly,
        },
        strayTimeLimit,
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clockOnly },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: "Chance enters through the Clock.",
        },
      ],
    },
  },
  {
    files: ["src/{server,start}/**"],
    rules: { "no-restricted-imports": "off", "no-console": "off" },
  },
  {
    files: ["test/**"],
    rules: {
      "max-params": "off",
      "no-console": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    files: ["**/*.{js,cjs,mjs}"],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      globals: globals.node,
      parserOptions: { projectService: false },
    },
  },
  {
    // webpack's plugins and parts are CommonJS.
    files: ["**/*.cjs"],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
