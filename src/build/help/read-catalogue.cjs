/**
 * Reads the doc comments of the catalogue's functions into one description for functions.json, the help and
 * the documentation. INV's own tags are `@error <value> <when>`, `@example <formula> | <result> | <note>` and
 * `@live <formula>`.
 */
"use strict";

const ts = require("typescript");

/** Returns the functions of these sources, in their order. See read-catalogue.d.cts. */
function readCatalogue(sources, namespace) {
  return sources.flatMap((text) => {
    const file = ts.createSourceFile("catalogue.ts", text, ts.ScriptTarget.Latest, true);
    return file.statements
      .filter(
        (statement) => ts.isFunctionDeclaration(statement) && tagText(statement, "customfunction") !== null,
      )
      .map((declaration) => describe(declaration, namespace));
  });
}

function describe(declaration, namespace) {
  const [comment] = ts.getJSDocCommentsAndTags(declaration);
  const id = tagText(declaration, "customfunction").split(" ")[0].toUpperCase();
  const name = `${namespace}.${id}`;
  const parameters = declaration.parameters.filter(
    (parameter) => parameter.type?.getText() !== "CustomFunctions.Invocation",
  );
  const args = parameters.map((parameter) => ({
    name: parameter.name.getText(),
    description: ts.getTextOfJSDocComment(ts.getJSDocParameterTags(parameter)[0]?.comment) ?? "",
    optional: parameter.questionToken !== undefined,
    ranges: parameter.type?.getText() === "unknown[][]",
    ...wordsOf(ts.getTextOfJSDocComment(ts.getJSDocParameterTags(parameter)[0]?.comment) ?? ""),
  }));
  const signature = args.map((arg) => (arg.optional ? `[${arg.name}]` : arg.name)).join(", ");
  return {
    id,
    name,
    signature: `${name}(${signature})`,
    description: ts.getTextOfJSDocComment(comment.comment) ?? "",
    arguments: args,
    results: tagText(declaration, "returns") ?? "",
    errors: tagTexts(declaration, "error").map((text) => {
      const [value, ...when] = text.split(" ");
      return { value, when: when.join(" ") };
    }),
    examples: tagTexts(declaration, "example").map((text) => {
      const [formula, result, note] = text.split(" | ");
      return { formula, result, note };
    }),
    live: tagText(declaration, "live") ?? "",
  };
}

/**
 * Returns the words that an argument accepts, if its description lists them: `The location area: "STORE"
 * (default) or "BACKROOM".`
 */
function wordsOf(description) {
  const list = /^[^".]*: (".*)/.exec(description)?.[1] ?? "";
  const choices = [...list.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
  return { choices, usedWhenLeftOut: /"([^"]+)" \(default\)/.exec(list)?.[1] ?? null };
}

function tagText(declaration, name) {
  return tagTexts(declaration, name)[0] ?? null;
}

function tagTexts(declaration, name) {
  return ts
    .getJSDocTags(declaration)
    .filter((tag) => tag.tagName.text === name)
    .map((tag) => (ts.getTextOfJSDocComment(tag.comment) ?? "").trim());
}

module.exports = { readCatalogue };
