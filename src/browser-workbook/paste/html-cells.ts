/**
 * Reads the cells of an HTML table: their places (a cell may span rows and columns), contents and number formats. Excel
 * marks numbers with classes of its style sheet; Google Sheets and LibreOffice mark them with attributes of each cell.
 */
import { parsedJson } from "../../domain/json";
import { reachingOut } from "../../formula/reaching-out";
import { field, text } from "../json-fields";
import { blankCell, type PastedCell } from "./pasted-table";
import { type Declarations, excelFormat, readDeclarations, type StyleRules } from "./style-text";
import { readTypedText, textFormat } from "./typed-text";
import type { LocaleFormat } from "./locale-format";

export interface CellSource {
  readonly rules: StyleRules;
  readonly locale: LocaleFormat;
  /** If true, a cell without a number format is General. Otherwise its format is unknown. */
  readonly isFromExcel: boolean;
}

/** Replaces `style`, which the page's Content-Security-Policy would report. */
export const styleAttribute = "data-inv-style";

const mostSpan = 1_000;

/** Yields row by row. Cells covered by a spanning cell are blank. */
export function* readTable(
  rows: Iterable<HTMLTableRowElement>,
  source: CellSource,
): Generator<readonly PastedCell[]> {
  const covered: number[] = [];
  for (const row of rows) {
    const cells: PastedCell[] = [];
    const coverDown = (col: number) => {
      covered[col] = (covered[col] ?? 0) - 1;
      cells.push(blankCell);
    };
    for (const cell of row.cells) {
      while ((covered[cells.length] ?? 0) > 0) coverDown(cells.length);
      const down = Math.min(cell.rowSpan || 1, mostSpan) - 1;
      const right = Math.min(cell.colSpan || 1, mostSpan);
      for (let step = 0; step < right; step += 1) {
        covered[cells.length] = down;
        cells.push(step === 0 ? readCell(cell, source) : blankCell);
      }
    }
    while ((covered[cells.length] ?? 0) > 0) coverDown(cells.length);
    yield cells;
  }
}

function readCell(cell: HTMLTableCellElement, source: CellSource): PastedCell {
  const format = formatOf(cell, declarationsOf(cell, source.rules), source);
  return statedContent(cell, format) ?? readTypedText(shownText(cell), source.locale, format);
}

/** Later declarations win: the tag's, the classes', then the cell's own. */
function declarationsOf(cell: Element, rules: StyleRules): Declarations {
  const merged = new Map(rules.get("td") ?? []);
  for (const name of cell.classList) {
    for (const [key, value] of rules.get(`.${name}`) ?? []) merged.set(key, value);
  }
  for (const [key, value] of readDeclarations(cell.getAttribute(styleAttribute) ?? "")) {
    merged.set(key, value);
  }
  return merged;
}

/** Excel's number format code; null for General, undefined if unknown. */
function formatOf(cell: Element, declared: Declarations, source: CellSource): string | null | undefined {
  const office = declared.get("mso-number-format");
  if (office !== undefined) return excelFormat(office);
  const google = parsedJson(cell.getAttribute("data-sheets-numberformat"));
  if (field(google, "1") === googleText) return textFormat;
  const pattern = field(google, "2");
  if (typeof pattern === "string" && pattern !== "") return pattern;
  const libre = cell.getAttribute("sdnum")?.split(";").slice(2).join(";");
  if (libre !== undefined && libre !== "") return libre === "General" ? null : libre;
  return source.isFromExcel ? null : undefined;
}

const googleText = 1;
const googleString = 2;
const googleNumber = 3;
const googleBoolean = 4;

/** The content that the program states for the cell; null if there is only the shown text. */
function statedContent(cell: Element, format: string | null | undefined): PastedCell | null {
  const numberFormat = format === undefined ? {} : { numberFormat: format };
  const formula = cell.getAttribute("data-sheets-formula");
  if (formula?.startsWith("=") && reachingOut(formula, { notation: "r1c1" }) === null) {
    return { value: null, formula: { text: formula, notation: "r1c1" }, ...numberFormat };
  }
  const google = parsedJson(cell.getAttribute("data-sheets-value"));
  switch (field(google, "1")) {
    case googleString:
      return { value: text(field(google, "2")), ...numberFormat };
    case googleNumber:
      return { value: Number(field(google, "3")), ...numberFormat };
    case googleBoolean:
      return { value: field(google, "4") === 1, ...numberFormat };
  }
  const exact = cell.getAttribute("x:num") ?? cell.getAttribute("sdval");
  if (exact !== null && exact !== "" && Number.isFinite(Number(exact))) {
    return { value: Number(exact), ...numberFormat };
  }
  const isText =
    cell.hasAttribute("x:str") || (format !== undefined && cell.getAttribute("sdnum")?.endsWith(";@"));
  return isText === true ? { value: cell.getAttribute("x:str") || shownText(cell), ...numberFormat } : null;
}

/** Line breaks in the HTML source count as one space; office programs encode intended spaces as non-breaking ones. */
function shownText(cell: Element): string {
  let shown = "";
  const walk = (node: Node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        shown += (child.nodeValue ?? "").replace(/[ \t]*\r?\n[ \t]*/g, " ");
      } else if (child.nodeName === "BR") shown += "\n";
      else if (child.nodeType === Node.ELEMENT_NODE && !isHidden(child as Element)) walk(child);
    }
  };
  walk(cell);
  return shown
    .replaceAll("\u00a0", " ")
    .replace(/ *\n */g, "\n")
    .trim();
}

function isHidden(element: Element): boolean {
  return /display\s*:\s*none/i.test(element.getAttribute(styleAttribute) ?? "");
}
