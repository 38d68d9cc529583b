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

const eventTypes = Object.values(require("../domain/event-types.json")).flatMap(Object.entries);

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
        const metadata = finishMetadata(
          JSON.parse(generated.source.source().toString()),
          help,
          this.publicUrl,
        );
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
 * come back as itself), where the help is, and the lists of arguments that Excel offers while a formula is typed. The
 * generator's own enums would change the arguments' released type to text.
 */
function finishMetadata(generated, help, publicUrl) {
  const enums = new Map();
  const functions = generated.functions.map((entry) => ({
    ...entry,
    helpUrl: `${publicUrl}/help/${pageName(entry.id)}`,
    parameters: entry.parameters.map((parameter) => {
      const described = help.find(({ id }) => id === entry.id)?.arguments;
      const values = argumentList(described?.find(({ name }) => name === parameter.name));
      if (values.length === 0) return parameter;
      const key = JSON.stringify([parameter.name, values]);
      if (!enums.has(key)) {
        enums.set(key, { id: `${entry.id}.${parameter.name}`.toUpperCase(), type: "string", values });
      }
      return { ...parameter, customEnumId: enums.get(key).id };
    }),
  }));
  return { ...generated, allowErrorForDataTypeAny: true, enums: [...enums.values()], functions };
}

/** The words that the help lists for an argument; of an event type, the documented codes. */
function argumentList(argument) {
  if (argument?.name === "event_type") {
    return eventTypes.map(([code, meaning]) => ({ name: code, stringValue: code, tooltip: meaning }));
  }
  return (argument?.choices ?? []).map((word) => ({ name: word, stringValue: word }));
}

/** What one has to know to write a formula; `readFunctionsList` in the workbook's room checks the shape. */
function functionsList(help) {
  return help.map(({ id, name, description, arguments: args }) => {
    return { id, name, description, arguments: args };
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
