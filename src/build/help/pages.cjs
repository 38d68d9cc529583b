/**
 * The help pages: one for each function and an index. Plain HTML without script or inline style, as the
 * pages' Content-Security-Policy demands; the look is help.css. Links are relative, so that the pages work
 * under any address, beside the add-in.
 */
"use strict";

/** File names (`qty.html`) with their HTML. */
function helpPages(functions) {
  const pages = new Map([["index.html", indexPage(functions)]]);
  for (const entry of functions) pages.set(pageName(entry.id), functionPage(entry, functions));
  return pages;
}

function pageName(id) {
  return `${id.toLowerCase()}.html`;
}

function functionPage(entry, functions) {
  const body = `
<h1>${escape(entry.name)}</h1>
<p class="lead">${escape(entry.description)}</p>
<p class="signature"><code>=${breakable(entry.signature)}</code></p>
${section("Arguments", argumentList(entry.arguments))}
${section("Result", `<p>${escape(entry.results)}</p>`)}
${section("Errors", pairs(entry.errors.map(({ value, when }) => [`<code>${escape(value)}</code>`, escape(when)])))}
${section("Examples", exampleList(entry.examples))}
<p><a class="live" href="../?show=${encodeURIComponent(entry.id)}">See it live with demo data</a></p>`;
  return page(entry.name, body, navigation(functions, entry.id));
}

function indexPage(functions) {
  const list = pairs(
    functions.map(({ id, name, description }) => [
      `<a href="${pageName(id)}">${escape(name)}</a>`,
      escape(description),
    ]),
  );
  const body = `
<h1>INV functions</h1>
<p class="lead">Live store inventory in Excel cells. What a cell shows when there is no value:</p>
${pairs([
  ["<code>#N/A</code>", "The service answered: there is no such value."],
  ["<code>#VALUE!</code>", "There is no answer. The reason is at the cell and in the INV pane."],
  ["<code>#BUSY!</code>", "Waiting for the answer."],
  ["blank", "Store or item is blank: nothing was asked."],
])}
<p>Use <code>IFNA</code> around INV functions, never <code>IFERROR</code>: then an outage can not turn into zeros.</p>
${section("Functions", list)}`;
  return page("INV functions", body, navigation(functions, null));
}

function argumentList(args) {
  if (args.length === 0) return "<p>None.</p>";
  return pairs(
    args.map(({ name, description, optional }) => [
      `<code>${escape(name)}</code>${optional ? " (optional)" : ""}`,
      escape(description),
    ]),
  );
}

function exampleList(examples) {
  const items = examples.map(
    ({ formula, result, note }) =>
      `<li><code>${breakable(formula)}</code><br>Gives ${escape(result)}. ${escape(note)}</li>`,
  );
  return `<ol>${items.join("\n")}</ol>`;
}

function navigation(functions, currentId) {
  const links = functions.map(({ id, name }) => {
    const current = id === currentId ? ' aria-current="page"' : "";
    return `<li><a href="${pageName(id)}"${current}>${escape(name)}</a></li>`;
  });
  const current = currentId === null ? ' aria-current="page"' : "";
  return `<nav aria-label="Functions"><ul><li><a href="index.html"${current}>All functions</a></li>
${links.join("\n")}</ul></nav>`;
}

function page(title, body, nav) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}${title.startsWith("INV functions") ? "" : " - INV functions"}</title>
<link rel="stylesheet" href="help.css">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${nav}
<main id="main" tabindex="-1">${body}
</main>
</body>
</html>
`;
}

function section(heading, content) {
  return `<section><h2>${heading}</h2>\n${content}</section>`;
}

function pairs(rows) {
  return `<dl>${rows.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join("\n")}</dl>`;
}

/** Long formulas may break after a comma or a bracket, on narrow screens. */
function breakable(formula) {
  return escape(formula).replace(/([,(])/g, "$1<wbr>");
}

function escape(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

module.exports = { helpPages, pageName };
