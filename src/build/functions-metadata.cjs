/**
 * The build's part for the functions: finishes the functions.json that Microsoft's plugin generated and
 * writes the help beside it, as pages and, for the pane, as help.json: the functions from the catalogue's doc
 * comments, the other topics from help/topics.cjs. functions-list.json is what Insert makes its pickers from.
 * A functions.json that Excel would refuse fails the build, as does a function without help.
 * To be put after CustomFunctionsMetadataPlugin, which takes `catalogueFiles` as its input; the same list
 * must be in the add-in's entry, or functions would be listed that nobody associated.
 */
"use strict";

const { metadataProblems } = require("./help/check-metadata.cjs");
const { helpEntries } = require("./help/entries.cjs");
const { helpPages, pageName } = require("./help/pages.cjs");
const { readCatalogue } = require("./help/read-catalogue.cjs");
const { helpTopics } = require("./help/topics.cjs");

const pluginName = "FunctionsMetadataPlugin";
const namespace = "INV";

/** Every file of the catalogue, in the order in which functions are listed. */
const catalogueFiles = [
  "../functions/catalogue/inventory.ts",
  "../functions/catalogue/events.ts",
  "../functions/catalogue/workbook.ts",
].map((file) => require.resolve(file));
const styleFile = require.resolve("./help/help.css");
const keysFile = require.resolve("../../assets/shortcuts.json");
const keyNamesFile = require.resolve("../../assets/shortcuts-resources.json");

class FunctionsMetadataPlugin {
  /** Options: `publicUrl`, the absolute https address at which the add-in will be served. */
  constructor({ publicUrl }) {
    this.publicUrl = publicUrl.replace(/\/+$/, "");
  }

  apply(compiler) {
    const { Compilation, WebpackError, sources } = compiler.webpack;
    const read = (file) => compiler.inputFileSystem.readFileSync(file).toString("utf8");

    // Microsoft's plugin gives its file to the small builds within this one too (a page's template, a style sheet),
    // where it stays as it was generated and meets the finished one when something is built anew.
    compiler.hooks.compilation.tap(pluginName, (compilation) => {
      if (compilation.compiler.isChild()) delete compilation.assets["functions.json"];
    });
    compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONS;
      compilation.hooks.processAssets.tap({ name: pluginName, stage }, () => {
        const generated = compilation.getAsset("functions.json");
        if (generated === undefined) {
          compilation.errors.push(
            new WebpackError("functions.json was not generated: see the errors before this."),
          );
          return;
        }
        const help = readCatalogue(catalogueFiles.map(read), namespace);
        const metadata = finishMetadata(JSON.parse(generated.source.source().toString()), this.publicUrl);
        for (const problem of [...metadataProblems(metadata), ...helpProblems(help, metadata)]) {
          compilation.errors.push(new WebpackError(problem));
        }
        compilation.updateAsset("functions.json", new sources.RawSource(json(metadata)));
        const emit = (name, text) => compilation.emitAsset(name, new sources.RawSource(text));
        const names = JSON.parse(read(keyNamesFile)).resources.default;
        const entries = helpEntries(help, helpTopics(JSON.parse(read(keysFile)), names));
        emit("functions-list.json", json({ functions: functionsList(help) }));
        emit("help/help.json", json(entries));
        emit("help/help.css", read(styleFile));
        for (const [name, html] of helpPages(entries)) emit(`help/${name}`, html);
        compilation.fileDependencies.addAll([styleFile, keysFile, keyNamesFile]);
      });
    });
  }
}

/**
 * What the generator does not write: that error values reach `any` parameters (so that a cell's #N/A can
 * come back as itself), and where the help is.
 */
function finishMetadata(generated, publicUrl) {
  const functions = generated.functions.map((entry) => ({
    ...entry,
    helpUrl: `${publicUrl}/help/${pageName(entry.id)}`,
  }));
  return { ...generated, allowErrorForDataTypeAny: true, functions };
}

/** What one has to know to write a formula; `readFunctionsList` in the workbook's room checks the shape. */
function functionsList(help) {
  return help.map(({ id, implementation, name, description, arguments: args }) => {
    return { id, implementation, name, description, arguments: args };
  });
}

/** Every function has its help in full, and the same arguments there as in functions.json. */
function helpProblems(help, metadata) {
  return metadata.functions.flatMap(({ id, parameters }) => {
    const entry = help.find((candidate) => candidate.id === id);
    if (entry === undefined) return [`${id}: there is no help.`];
    const problems = [];
    if (entry.arguments.map(({ name }) => name).join() !== parameters.map(({ name }) => name).join()) {
      problems.push(`${id}: the help has other arguments than functions.json.`);
    }
    if (entry.errors.length === 0 || entry.results === "") {
      problems.push(`${id}: result or errors are not described.`);
    }
    if (entry.examples.length !== 3 || entry.examples.some(({ note }) => !note)) {
      problems.push(`${id}: expected three examples, each with a result and a note.`);
    }
    if (!entry.live.startsWith("=")) problems.push(`${id}: there is no formula to see it live.`);
    return problems;
  });
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

module.exports = { FunctionsMetadataPlugin, catalogueFiles, finishMetadata, helpProblems, namespace };
