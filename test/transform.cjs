/**
 * Transforms TypeScript and the packages without CommonJS modules, for all projects of jest.config.mjs.
 */
const { createTransformer } = require("@swc/jest");

module.exports = createTransformer({
  jsc: {
    parser: {
      syntax: "typescript",
      tsx: true,
    },
    target: "es2022",
    transform: {
      react: {
        runtime: "automatic",
        importSource: "preact",
      },
    },
  },
  module: {
    type: "commonjs",
  },
});
