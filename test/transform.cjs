/**
 * How jest reads our TypeScript and Preact's modules (which it ships as .mjs alone): one way for all projects
 * of jest.config.mjs.
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
