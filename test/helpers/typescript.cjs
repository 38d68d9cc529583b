/** Runs a TypeScript file of the tests as a program: `node typescript.cjs FILE ARGUMENTS`. */
"use strict";
const { transformFileSync } = require("@swc/core");

require.extensions[".ts"] = (module, path) => {
  const { code } = transformFileSync(path, {
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
  });
  module._compile(code, path);
};
process.argv.splice(1, 1);
require(process.argv[1]);
