/** Lets Node run the tests' TypeScript files, for a program that a test starts as its own process. */
"use strict";
const { transformFileSync } = require("@swc/core");

require.extensions[".ts"] = (module, path) => {
  const { code } = transformFileSync(path, {
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
  });
  module._compile(code, path);
};
