/**
 * A script for Redis from TypeScript: `name.lua` says what it is, `name.ts` beside it exports `run`, and what that needs
 * is compiled with it into one text. A loader of webpack; the tests' transform asks for the same text.
 */
const fs = require("node:fs");
const path = require("node:path");

/** The files it was made of, and the text. */
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
  // Warnings too: what is true in Lua (0 and "") is not what is true here.
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
  const words = fs.readFileSync(luaPath, "utf8");
  const files = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
  return {
    files: files.map(({ fileName }) => fileName),
    // Redis forbids globals that are not there, and the compiled text asks whether `require` is.
    text: `${words}local require = nil\nlocal compiled = (function(...)\n${bundle}\nend)(...)\nreturn compiled.run()\n`,
  };
}

module.exports = function load() {
  const { files, text } = compileLua(this.resourcePath);
  for (const file of files) this.addDependency(file);
  return `module.exports = ${JSON.stringify(text)};`;
};
module.exports.compileLua = compileLua;
