/**
 * Compiles a Redis script from TypeScript: `name.lua` contains its head comment, and `name.ts` exports `run`.
 * The result is one text that includes all dependencies of `run`. This is a webpack loader, and the tests'
 * transform uses the same function.
 */
const fs = require("node:fs");
const path = require("node:path");

function compileLua(luaPath) {
  const ts = require("typescript");
  const tstl = require("typescript-to-lua");
  const entry = luaPath.replace(/\.lua$/, ".ts");
  const options = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts"],
    types: [],
    strict: true,
    strictNullChecks: true,
    noUncheckedIndexedAccess: true,
    luaTarget: tstl.LuaTarget.Lua51,
    luaLibImport: tstl.LuaLibImportKind.RequireMinimal,
    luaBundle: "bundle.lua",
    luaBundleEntry: entry,
    noImplicitSelf: true,
    noHeader: true,
  };
  let bundle = "";
  const program = ts.createProgram([entry], options);
  const { diagnostics } = new tstl.Transpiler().emit({
    program,
    writeFile: (file, text) => (bundle = file.endsWith(".lua") ? text : bundle),
  });
  // Treats warnings as errors too: they report conditions that differ in Lua, where 0 and "" are true.
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (faults.length > 0) {
    throw new Error(
      ts.formatDiagnostics(faults, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => path.dirname(luaPath),
        getNewLine: () => "\n",
      }),
    );
  }
  const head = fs.readFileSync(luaPath, "utf8");
  const files = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
  return {
    files: files.map(({ fileName }) => fileName),
    // Redis forbids reading a missing global, and the compiled text tests for `require`.
    text: `${head}local require = nil\nlocal compiled = (function(...)\n${bundle}\nend)(...)\nreturn compiled.run()\n`,
  };
}

module.exports = function load() {
  const { files, text } = compileLua(this.resourcePath);
  for (const file of files) this.addDependency(file);
  return `module.exports = ${JSON.stringify(text)};`;
};
module.exports.compileLua = compileLua;
