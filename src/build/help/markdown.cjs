/**
 * docs/functions.md: a section for each function. What is true of several functions is above the sections, once. A
 * test compares the file with this text.
 */
"use strict";

/** What every function that asks the service says of this error. */
const commonError = {
  value: "#VALUE!",
  when: "An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.",
};

function functionReference(functions) {
  const common = commonArguments(functions);
  const sections = functions.map((entry) => section(entry, common));
  return [intro, "", ...[...common].map(argumentLine), "", ...sections].join("\n");
}

/** By name, the description that most functions give this argument, if several do. */
function commonArguments(functions) {
  const uses = new Map();
  for (const { name, description } of functions.flatMap((entry) => entry.arguments)) {
    const ofName = uses.get(name) ?? new Map();
    uses.set(name, ofName.set(description, (ofName.get(description) ?? 0) + 1));
  }
  const common = [...uses].flatMap(([name, ofName]) => {
    const [commonest] = [...ofName].sort(([, one], [, other]) => other - one);
    return commonest[1] > 1 ? [[name, commonest[0]]] : [];
  });
  return new Map(common);
}

function argumentLine([name, description]) {
  return `- \`${name}\`: ${description}`;
}

function section(entry, common) {
  const errors = entry.errors.filter(
    ({ value, when }) => value !== commonError.value || when !== commonError.when,
  );
  const ownArguments = entry.arguments.filter(({ name, description }) => common.get(name) !== description);
  return [
    `## ${entry.name}`,
    "",
    entry.description,
    "",
    `    =${entry.signature}`,
    `    ${entry.examples[0].formula}`,
    "",
    ...ownArguments.map(({ name, description }) => argumentLine([name, description])),
    ...(ownArguments.length === 0 ? [] : [""]),
    `Result: ${entry.results}`,
    "",
    ...errors.flatMap(({ value, when }) => [`\`${value}\`: ${when}`, ""]),
  ].join("\n");
}

const intro = `# The functions

This page is generated from the doc comments in \`src/functions/catalogue\`, as are functions.json and the help (\`?\` in the pane), which has more
examples.

Where the result is one value, store and item may be ranges: equal shapes pair up, a column and a row make a grid, a single value applies to all.
Give the rows (A2:A5000) or Table columns: whole columns (A:A) are too large for Excel on the web. GTINs may lack their leading zeros. Blank stores
and items give blank cells. In an outage a cell keeps its last number, if INV has one.

\`${commonError.value}\`: ${commonError.when}

Arguments in brackets are optional. Where a function says nothing else:`;

module.exports = { functionReference };
