/**
 * docs/functions.md: links to all functions, and a section for each. What is said of many functions stands once, above the
 * sections. A test compares the file with this text.
 */
"use strict";

/** What every function that asks the service says of this error. */
const commonError = {
  value: "#VALUE!",
  when: "An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.",
};

function functionReference(functions) {
  const links = functions.map(({ name }) => `[${name}](#${name.toLowerCase().replace(".", "")})`).join(", ");
  const sections = functions.map(section);
  return [intro, "", links, "", ...sections].join("\n");
}

function section(entry) {
  const errors = entry.errors.filter(
    ({ value, when }) => value !== commonError.value || when !== commonError.when,
  );
  return [
    `## ${entry.name}`,
    "",
    entry.description,
    "",
    `    =${entry.signature}`,
    "",
    ...entry.arguments.map((arg) => `- \`${arg.name}\`: ${arg.description}`),
    ...(entry.arguments.length === 0 ? [] : [""]),
    `Result: ${entry.results}`,
    "",
    ...errors.flatMap(({ value, when }) => [`\`${value}\`: ${when}`, ""]),
    ...entry.examples.map(({ formula, result, note }) => `- \`${formula}\` gives ${result}. ${note}`),
    "",
  ].join("\n");
}

const intro = `# The functions

A function that returns one value also accepts ranges. Ranges of the same shape pair up, a column and a row make a grid, and a
single value applies to all. Give the rows (A2:A5000) or use Table columns, because whole columns (A:A) are too large for
Excel on the web. Arguments in brackets are optional.

GTINs may have lost their leading zeros: INV adds them. Times are UTC. Blank stores and items give a blank cell. In an outage a cell keeps its
last number if INV has one, and is stale.

\`${commonError.value}\`: ${commonError.when}

This page, functions.json and the help are generated from the doc comments in \`src/functions/catalogue\`.`;

module.exports = { functionReference };
