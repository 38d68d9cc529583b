/**
 * Reads the tables of clipboard HTML from Excel, Google Sheets, LibreOffice and web pages, in a separate document that
 * runs and loads nothing. Values come from what the program adds to its cells, or else from the shown text, read by the
 * cell's number format. Reads row by row, so that a large copy can be read in slices. Excel gives a browser no
 * formulas, only what cells show.
 */
import { type CellSource, styleAttribute, readTable } from "./html-cells";
import type { PastedTable } from "./pasted-table";
import { readRules, type StyleRules } from "./style-text";
import type { LocaleFormat } from "./locale-format";

/** Null if the HTML contains no table; the caller then uses the plain text. */
export function readHtmlTable(html: string, locale: LocaleFormat): PastedTable | null {
  if (!/<table\b/i.test(html)) return null;
  const { text, css } = withoutStyles(html);
  const rules = readRules(css);
  const [before = "", ...rows] = text.split(/(?=<tr[\s>])/i);
  const isFromExcel = /content="?(Excel\.Sheet|Microsoft Excel)/i.test(before);
  const source: CellSource = { rules, locale: formatOfTable(rules, locale), isFromExcel };
  return { rows: readTable(parsedRows(rows), source) };
}

/** Rows parsed at once: few enough for one slice. */
const rowsAtOnce = 100;

/** Yields the rows as elements. HTML with a nested table can't be cut between rows, so it is parsed as a whole. */
function* parsedRows(rows: readonly string[]): Generator<HTMLTableRowElement> {
  const isNested = rows.some((row) => /<table\b/i.test(row.slice(0, row.search(/<\/tr>|$/i))));
  const atOnce = isNested ? rows.length : rowsAtOnce;
  for (let from = 0; from < rows.length; from += atOnce) {
    const part = `<table>${rows.slice(from, from + atOnce).join("")}</table>`;
    const page = new DOMParser().parseFromString(part, "text/html");
    for (const table of page.querySelectorAll("table")) {
      if (!table.parentElement?.closest("table")) yield* table.rows;
    }
  }
}

/** A tag with its attributes. A quoted value may contain any character. */
const tag = /<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi;

/**
 * The page's Content-Security-Policy also applies to this document, and the browser would report each style in it as
 * refused. So this takes out style sheets and renames style attributes to `styleAttribute`.
 */
function withoutStyles(html: string): { readonly text: string; readonly css: string } {
  const sheets: string[] = [];
  const bare = html.replace(/<style\b[^>]*>([\s\S]*?)<\/style>/gi, (_all, css: string) => {
    sheets.push(css);
    return "";
  });
  const text = bare.replace(tag, (found) =>
    /\sstyle/i.test(found)
      ? found.replace(/"[^"]*"|'[^']*'|\sstyle(?=\s*=)/gi, (one) =>
          /^["']/.test(one) ? one : ` ${styleAttribute}`,
        )
      : found,
  );
  return { text, css: sheets.join("\n") };
}

/** Excel states its separators. They are then the only way to read the numbers. */
function formatOfTable(rules: StyleRules, given: LocaleFormat): LocaleFormat {
  const said = rules.get("table");
  if (said?.has("mso-displayed-decimal-separator") !== true) return given;
  const { dayFirst } = given;
  const mark = (name: string) => {
    const value = said.get(name);
    return value === undefined ? undefined : value.replace(/^"|"$/g, "").replace(/^\\/, "");
  };
  return {
    dayFirst,
    decimal: mark("mso-displayed-decimal-separator") ?? given.decimal,
    thousands: mark("mso-displayed-thousand-separator") ?? given.thousands,
  };
}
