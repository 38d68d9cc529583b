/**
 * Completes the functions.json that Microsoft's plugin generates, and writes the pages of the help. Everything
 * except the help topics comes from the catalogue's doc comments. The build fails if Excel would refuse
 * functions.json, or if a function has no help.
 * Put this plugin after CustomFunctionsMetadataPlugin, with `catalogueFiles` as that plugin's input and in
 * the add-in's entry. Otherwise, Excel would list functions that no code is associated with.
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

const catalogueFiles = [
  "../functions/catalogue/inventory.ts",
  "../functions/catalogue/events.ts",
  "../functions/catalogue/workbook.ts",
].map((file) => require.resolve(file));
/** As in manifest.xml. The server replaces it (server/address.ts). */
const developmentUrl = "https://localhost:3000";
const styleFile = require.resolve("./help/help.css");
const keysFile = require.resolve("../../assets/shortcuts.json");
const keyNamesFile = require.resolve("../../assets/shortcuts-resources.json");

class FunctionsMetadataPlugin {
  /** @param {{ argumentLists: boolean }} options without `argumentLists`, Excel offers no words for arguments */
  constructor({ argumentLists }) {
    this.argumentLists = argumentLists;
  }

  apply(compiler) {
    const { Compilation, WebpackError, sources } = compiler.webpack;
    const read = (file) => compiler.inputFileSystem.readFileSync(file).toString("utf8");

    // Microsoft's plugin also adds its incomplete file to child compilations (a page's template, a style
    // sheet). There, it would conflict with the complete one in a later build.
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
        const metadata = finishMetadata(JSON.parse(generated.source.source().toString()), help, this);
        for (const problem of [...metadataProblems(metadata), ...helpProblems(help, metadata)]) {
          compilation.errors.push(new WebpackError(problem));
        }
        compilation.updateAsset("functions.json", new sources.RawSource(json(metadata)));
        const emit = (name, text) => compilation.emitAsset(name, new sources.RawSource(text));
        const names = JSON.parse(read(keyNamesFile)).resources.default;
        const entries = helpEntries(help, helpTopics(JSON.parse(read(keysFile)), names));
        emit("help/help.css", read(styleFile));
        for (const [name, html] of helpPages(entries)) emit(`help/${name}`, html);
        compilation.fileDependencies.addAll([styleFile, keysFile, keyNamesFile]);
      });
    });
  }
}

/**
 * Adds what the generator doesn't write: the addresses of the help, the lists that Excel offers for
 * arguments, and that `any` parameters accept error values. Because of the last, a cell's #N/A is returned
 * unchanged. The generator's own enums would change the arguments' released type to text. It isn't documented that Excel accepts lists
 * for arguments of other types; if it doesn't, it refuses all functions. A build with INV_ARGUMENT_LISTS=0 leaves the lists out.
 */
function finishMetadata(generated, help, { argumentLists }) {
  const enums = new Map();
  const functions = generated.functions.map((entry) => ({
    ...entry,
    helpUrl: `${developmentUrl}/help/${pageName(entry.id)}`,
    parameters: entry.parameters.map((parameter) => {
      const described = help.find(({ id }) => id === entry.id)?.arguments;
      const values = !argumentLists
        ? []
        : argumentList(described?.find(({ name }) => name === parameter.name));
      if (values.length === 0) return parameter;
      const key = JSON.stringify([parameter.name, values]);
      if (!enums.has(key)) {
        enums.set(key, { id: `${entry.id}.${parameter.name}`.toUpperCase(), type: "string", values });
      }
      return { ...parameter, customEnumId: enums.get(key).id };
    }),
  }));
  const lists = argumentLists ? { enums: [...enums.values()] } : {};
  return { ...generated, allowErrorForDataTypeAny: true, ...lists, functions };
}

/** Returns the words that the help lists for an argument, or the documented codes for an event type. */
function argumentList(argument) {
  if (argument?.name === "event_type") {
    return eventTypes.map(([code, meaning]) => ({ name: code, stringValue: code, tooltip: meaning }));
  }
  // The generator writes a tooltip for each entry, an empty one if there is none.
  return (argument?.choices ?? []).map((word) => ({ name: word, stringValue: word, tooltip: "" }));
}

/** Finds functions whose help is incomplete, or lists other arguments than functions.json. */
function helpProblems(help, metadata) {
  return metadata.functions.flatMap(({ id, parameters }) => {
    const entry = help.find((candidate) => candidate.id === id);
    if (entry === undefined) return [`${id}: the help is missing.`];
    const problems = [];
    if (entry.arguments.map(({ name }) => name).join() !== parameters.map(({ name }) => name).join()) {
      problems.push(`${id}: the help has other arguments than functions.json.`);
    }
    if (entry.errors.length === 0 || entry.results === "") {
      problems.push(`${id}: the description of result or errors is missing.`);
    }
    if (entry.examples.length !== 3 || entry.examples.some(({ note }) => !note)) {
      problems.push(`${id}: three examples are needed, each with a result and a note.`);
    }
    if (!entry.live.startsWith("=")) problems.push(`${id}: the @live formula is missing.`);
    return problems;
  });
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

module.exports = { FunctionsMetadataPlugin, catalogueFiles, helpProblems, namespace };
