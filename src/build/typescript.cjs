/**
 * How swc compiles TypeScript, for the build and for the tests. Lint checks the types.
 */
"use strict";

exports.compilation = {
  jsc: {
    parser: { syntax: "typescript", tsx: true },
    target: "es2022",
    transform: { react: { runtime: "automatic", importSource: "preact" } },
  },
};
