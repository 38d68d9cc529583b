/**
 * docs/functions.md: a table of all functions, and a section for each. A test compares the file with this text.
 */
"use strict";

/** Returns a table that has each function with the first sentence of its description. */
function overview(functions) {
  const rows = functions.map(({ name, description }) => [
    `[\`${name}\`](#${name.toLowerCase().replace(".", "")})`,
    /^.*?\.(?= |$)/.exec(description)[0],
  ]);
  return table(["function", "result"], rows).join("\n");
}

function functionReference(functions) {
  const parts = functions.map((entry) =>
    [
      `## ${entry.name}`,
      "",
      entry.description,
      "",
      `    =${entry.signature}`,
      "",
      ...table(
        ["argument", "meaning"],
        entry.arguments.map((arg) => [
          `\`${arg.name}\`${arg.optional ? " (optional)" : ""}`,
          arg.description,
        ]),
      ),
      `Result: ${entry.results}`,
      "",
      ...table(
        ["error", "when"],
        entry.errors.map(({ value, when }) => [`\`${value}\``, when]),
      ),
      ...table(
        ["example", "gives", "note"],
        entry.examples.map(({ formula, result, note }) => [`\`${formula}\``, result, note]),
      ),
    ].join("\n"),
  );
  return `${[intro, overview(functions), ...parts].join("\n").trimEnd()}\n`;
}

const intro = `# The functions

This page, functions.json and the help are generated from the doc comments in \`src/functions/catalogue\`. After a change there,
\`UPDATE_DOCS=1 npm test -- functions/documentation\` writes this page again.

A function that returns one value also accepts ranges. Ranges of the same shape pair up, a column and a row make a grid, and a
single value applies to all. Give the rows (A2:A5000) or use Table columns, because whole columns (A:A) are too large for
Excel on the web.

GTINs may have lost their leading zeros: INV adds them. Times are UTC. In an outage a cell keeps its last number if INV has one, and INV marks it as stale; otherwise it shows \`#VALUE!\`.
Tables have headings unless \`headers\` is FALSE. Blank stores and items give a blank cell.
`;

function table(headings, rows) {
  if (rows.length === 0) return [];
  const line = (cells) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line), ""];
}

function cell(text) {
  return text.replaceAll("|", "\\|");
}

module.exports = { functionReference };
