/**
 * Transforms TypeScript and the packages without CommonJS modules, for all projects of jest.config.mjs.
 */
const { createTransformer } = require("@swc/jest");
const { compilation } = require("../src/build/typescript.cjs");

module.exports = createTransformer({ ...compilation, module: { type: "commonjs" } });
