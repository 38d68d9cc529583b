/**
 * Lint rules for the whole project, which also report the compiler's own errors: strict TypeScript rules, the Office rules on batching,
 * and the bans that keep rooms clean (time, network and Node enter through parameters).
 */
import { fileURLToPath } from "node:url";

/** Patterns of files in `src`. They are absolute, because oxlint matches files outside this folder by their whole path. */
const src = (pattern) => {
  const folder = fileURLToPath(new URL("../src/", import.meta.url)).replaceAll("\\", "/");
  return folder.replace(/[*?[\]{}!]/g, "?") + pattern;
};

const clockOnly = "Time enters through a Clock parameter.";
const strayTime = ["setTimeout", "setInterval", "setImmediate", "requestIdleCallback", "queueMicrotask"].map(
  (name) => ({ name, message: clockOnly }),
);
/** A timer too, and one that a garbage collection may lose. */
const strayTimeLimit = { object: "AbortSignal", property: "timeout", message: clockOnly };
const strayNow = { object: "Date", property: "now", message: clockOnly };
const strayChance = { object: "Math", property: "random", message: "Chance enters through the Clock." };
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

/** Rules beyond oxlint's category "correctness". */
const recommended = [
  "eqeqeq",
  "no-array-constructor",
  "no-case-declarations",
  "no-console",
  "no-duplicate-imports",
  "no-empty",
  "no-fallthrough",
  "no-prototype-builtins",
  "no-regex-spaces",
  "no-unexpected-multiline",
  "no-useless-constructor",
  "no-var",
  "prefer-const",
  "prefer-rest-params",
  "prefer-spread",
  "typescript/consistent-type-imports",
  "typescript/no-dynamic-delete",
  "typescript/no-empty-object-type",
  "typescript/no-explicit-any",
  "typescript/no-extraneous-class",
  "typescript/no-generated-empty-object-type",
  "typescript/no-invalid-void-type",
  "typescript/no-namespace",
  "typescript/no-non-null-asserted-nullish-coalescing",
  "typescript/no-non-null-assertion",
  "typescript/no-require-imports",
  "typescript/no-unnecessary-type-constraint",
  "typescript/no-unsafe-function-type",
  "typescript/prefer-literal-enum-member",
  "typescript/unified-signatures",
];
/** Rules that read types, for files that have them. Those of the category "correctness" apply to JavaScript as well. */
const typed = [
  "typescript/no-deprecated",
  "typescript/no-misused-promises",
  "typescript/no-mixed-enums",
  "typescript/no-unnecessary-boolean-literal-compare",
  "typescript/no-unnecessary-condition",
  "typescript/no-unnecessary-template-expression",
  "typescript/no-unnecessary-type-arguments",
  "typescript/no-unnecessary-type-assertion",
  "typescript/no-unnecessary-type-conversion",
  "typescript/no-unnecessary-type-parameters",
  "typescript/no-unsafe-argument",
  "typescript/no-unsafe-assignment",
  "typescript/no-unsafe-call",
  "typescript/no-unsafe-enum-assignment",
  "typescript/no-unsafe-enum-comparison",
  "typescript/no-unsafe-member-access",
  "typescript/no-unsafe-return",
  "typescript/only-throw-error",
  "typescript/prefer-promise-reject-errors",
  "typescript/prefer-reduce-type-parameter",
  "typescript/prefer-return-this-type",
  "typescript/related-getter-setter-pairs",
  "typescript/require-await",
  "typescript/use-unknown-in-catch-callback-variable",
];
const errors = (names) => Object.fromEntries(names.map((name) => [name, "error"]));

export default {
  plugins: ["eslint", "typescript"],
  jsPlugins: ["eslint-plugin-office-addins", "./lint-rules.mjs"],
  options: {
    typeAware: true,
    typeCheck: true,
    denyWarnings: true,
    reportUnusedDisableDirectives: "error",
    respectEslintDisableDirectives: false,
  },
  categories: { correctness: "error" },
  rules: {
    ...errors(recommended),
    "max-params": ["error", { max: 3 }],
    "max-lines": ["error", { max: 500 }],
    curly: ["error", "multi-line"],
    // A module may have names of its own for what is global.
    "no-redeclare": ["error", { builtinGlobals: false }],
    // A name that begins with "_" must be used as well.
    "no-unused-vars": ["error", { argsIgnorePattern: "^$", varsIgnorePattern: "^$" }],
    "typescript/ban-ts-comment": ["error", { minimumDescriptionLength: 10 }],
    "typescript/unbound-method": "off",
    "typescript/require-array-sort-compare": "off",
  },
  overrides: [
    {
      files: ["**/*.{ts,tsx}"],
      rules: {
        ...errors(typed),
        "typescript/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
        "typescript/restrict-plus-operands": [
          "error",
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        "typescript/restrict-template-expressions": ["error", { allowNumber: true }],
        "typescript/return-await": ["error", "error-handling-correctness-only"],
      },
    },
    {
      files: [src("{workbook,addin}/**")],
      rules: errors([
        "office-addins/call-sync-after-load",
        "office-addins/call-sync-before-read",
        "office-addins/load-object-before-read",
        "office-addins/no-empty-load",
        "office-addins/no-navigational-load",
      ]),
    },
    {
      files: [src("**/*.{ts,tsx}")],
      rules: { "no-restricted-imports": ["error", nodeImports], "inv/no-void": "error" },
    },
    {
      files: ["**/*.{ts,tsx}"],
      excludeFiles: [src("**"), "helpers/properties.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          { name: "fast-check", message: "Properties begin from one seed: test/helpers/properties." },
        ],
      },
    },
    {
      files: [
        src("{formula,domain,api,engine,cells,connection,functions,workbook,embedded-service}/**/*.ts"),
      ],
      rules: { "no-restricted-globals": ["error", ...strayTime, ...strayFetch, ...strayPage, ...strayNode] },
    },
    {
      files: [src("taskpane/**/*.{ts,tsx}")],
      rules: { "no-restricted-globals": ["error", ...strayTime, ...strayFetch, ...strayNode] },
    },
    {
      files: [src("{addin,browser-workbook}/**/*.ts")],
      rules: {
        "no-restricted-globals": ["error", ...strayNode],
        "no-restricted-properties": ["error", strayTimeLimit],
      },
    },
    {
      files: [
        src(
          "{formula,domain,api,engine,cells,connection,functions,workbook,taskpane,embedded-service}/**/*.{ts,tsx}",
        ),
      ],
      rules: {
        "no-restricted-properties": ["error", strayNow, strayTimeLimit, strayChance],
        "inv/no-current-date": "error",
      },
    },
    {
      files: [src("{server,start}/**")],
      rules: { "no-restricted-imports": "off", "no-console": "off" },
    },
    {
      files: ["**"],
      excludeFiles: [src("**")],
      rules: {
        "max-params": "off",
        "no-console": "off",
        "typescript/no-non-null-assertion": "off",
        "typescript/require-await": "off",
      },
    },
    {
      files: ["**/*.{js,cjs,mjs}"],
      env: { node: true },
      rules: { "no-undef": "error" },
    },
    {
      // webpack's plugins and parts are CommonJS.
      files: ["**/*.cjs"],
      rules: { "typescript/no-require-imports": "off" },
    },
  ],
};
