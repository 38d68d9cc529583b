/**
 * Builds the help pages: one for each function and topic, and an index. They are plain HTML without scripts
 * or inline styles, because the pages' Content-Security-Policy allows none. Links are relative, so that the
 * pages work under any address.
 */
"use strict";

/** Returns HTML by file name (`qty.html`). @param entries from entries.cjs */
function helpPages(entries) {
  const pages = new Map([["index.html", indexPage(entries)]]);
  for (const entry of entries) pages.set(pageName(entry.id), entryPage(entry, entries));
  return pages;
}

function pageName(id) {
  return `${id.toLowerCase()}.html`;
}

function entryPage(entry, entries) {
  const { id, kind, title, lead, sections } = entry;
  const live =
    kind === "function"
      ? `\n<p><a class="live" href="../?show=${encodeURIComponent(id.toUpperCase())}">See it live with demo data</a></p>`
      : "";
  const body = `
<h1>${escape(title)}</h1>${lead === "" ? "" : `\n<p class="lead">${marked(lead)}</p>`}
${sections.map(section).join("\n")}${live}`;
  return helpPage(title, body, navigation(entries, id));
}

function indexPage(entries) {
  const list = (kind) =>
    pairs(
      ofKind(entries, kind).map(({ id, title, lead }) => [
        `<a href="${pageName(id)}">${escape(title)}</a>`,
        marked(lead),
      ]),
    );
  const body = `
<h1>INV help</h1>
<p class="lead">Live store inventory in Excel cells.</p>
<section><h2>Working with INV</h2>
<ul>${ofKind(entries, "topic")
    .map(({ id, title }) => `<li><a href="${pageName(id)}">${escape(title)}</a></li>`)
    .join("\n")}</ul></section>
<section><h2>Functions</h2>
${list("function")}</section>`;
  return helpPage("INV help", body, navigation(entries, null));
}

function navigation(entries, currentId) {
  const link = ({ id, title }) => {
    const current = id === currentId ? ' aria-current="page"' : "";
    return `<li><a href="${pageName(id)}"${current}>${escape(title)}</a></li>`;
  };
  const current = currentId === null ? ' aria-current="page"' : "";
  return `<nav aria-label="Help"><ul><li><a href="index.html"${current}>All help</a></li>
${[...ofKind(entries, "function"), ...ofKind(entries, "topic")].map(link).join("\n")}</ul></nav>`;
}

function ofKind(entries, kind) {
  return entries.filter((entry) => entry.kind === kind);
}

function helpPage(title, body, nav) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}${title.startsWith("INV help") ? "" : " - INV help"}</title>
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

function section({ heading, parts }) {
  const title = heading === "" ? "" : `<h2>${escape(heading)}</h2>\n`;
  return `<section>${title}${parts.map(part).join("\n")}</section>`;
}

function part(given) {
  if (typeof given === "string") return `<p>${marked(given)}</p>`;
  return pairs(given.pairs.map(([term, text]) => [marked(term), marked(text)]));
}

function pairs(rows) {
  return `<dl>${rows.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join("\n")}</dl>`;
}

/** Turns text in backticks into code. Long formulas may break after a comma or an opening bracket. */
function marked(text) {
  return text
    .split("`")
    .map((piece, index) =>
      index % 2 === 0 ? escape(piece) : `<code>${escape(piece).replace(/([,(])/g, "$1<wbr>")}</code>`,
    )
    .join("");
}

function escape(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

module.exports = { helpPages, pageName };
