/**
 * Reads a sheet's part: its cells with their formulas as the file has them (sheet-formulas.ts converts those), and the
 * rest of the sheet. It ignores the size that the sheet claims. Cells count at their own address, and cells beyond a
 * sheet's limits are left out.
 */
import type { CellValue } from "../../workbook/port";
import { sheetCols, sheetRows } from "../../formula/columns";
import { serialFromMs } from "../../domain/dates";
import type { Rectangle } from "../univer/cell-reader";
import type { ReadLimits } from "./read-limits";
import type { FileColumns, FileRow, FileSheet } from "./file-book";
import { unshownElements } from "./unshown-features";
import { parseCellAddress, parseArea } from "./parse-address";
import { attribute, type Attributes, isTrue, readXml, unescapeText } from "./xml";

export interface RawCell {
  readonly row: number;
  readonly col: number;
  value: CellValue;
  readonly style: number;
  formula: RawFormula | null;
}

export interface RawFormula {
  readonly kind: "plain" | "shared" | "array" | "table";
  /** Empty in cells that share another cell's formula. */
  readonly text: string;
  readonly area: Rectangle | null;
  /** Id that the cells of a shared formula have in common. */
  readonly shared: string;
}

export interface RawSheet extends Pick<
  FileSheet,
  "columns" | "rows" | "frozenRows" | "frozenCols" | "merged"
> {
  readonly cells: readonly RawCell[];
  readonly unshown: ReadonlySet<string>;
}

const maxTextLength = 32_767;
const maxMergedAreas = 20_000;

export async function readSheetPart(
  part: string,
  xml: string,
  { strings, limits }: { readonly strings: readonly string[]; readonly limits: ReadLimits },
): Promise<RawSheet> {
  const cells: RawCell[] = [];
  const columns: FileColumns[] = [];
  const rows: FileRow[] = [];
  const merged: Rectangle[] = [];
  const unshown = new Set<string>();
  let [frozenRows, frozenCols] = [0, 0];
  let [row, col] = [-1, -1];
  let cell: { type: string; style: number; isInSheet: boolean } = { type: "n", style: 0, isInSheet: false };
  let formula: RawFormula | null = null;
  let content = "";
  let pieces: string[] = [];
  let isPhonetic = false;

  function openCell(attributes: Attributes): void {
    const named = attribute(attributes, "r");
    const at = named === undefined ? { row, col: col + 1 } : parseCellAddress(named);
    if (at !== null) col = at.col;
    const isInSheet = at !== null && at.row >= 0 && at.col < sheetCols;
    if (isInSheet) row = at.row;
    const style = Number(attribute(attributes, "s") ?? 0);
    cell = {
      type: attribute(attributes, "t") ?? "n",
      style: Number.isInteger(style) ? style : 0,
      isInSheet,
    };
    [formula, content, pieces] = [null, "", []];
  }

  function openRow(attributes: Attributes): void {
    const number = Number(attribute(attributes, "r") ?? row + 2);
    row = Number.isInteger(number) && number >= 1 && number <= sheetRows ? number - 1 : row + 1;
    col = -1;
    const points = Number(attribute(attributes, "ht") ?? NaN);
    const height =
      isTrue(attribute(attributes, "customHeight")) && points > 0 && points < 500 ? points : null;
    const isHidden = isTrue(attribute(attributes, "hidden"));
    if (height !== null || isHidden) rows.push({ row, height, isHidden });
  }

  function openColumns(attributes: Attributes): void {
    const [first, last] = [
      Number(attribute(attributes, "min")) - 1,
      Number(attribute(attributes, "max")) - 1,
    ];
    const after = columns.at(-1)?.last ?? -1;
    if (!(first > after && last >= first && last < sheetCols)) return;
    const width = Number(attribute(attributes, "width") ?? NaN);
    columns.push({
      first,
      last,
      width: width >= 0 && width < 256 ? width : null,
      isHidden: isTrue(attribute(attributes, "hidden")),
      style: Number(attribute(attributes, "style") ?? 0),
    });
  }

  function closeCell(): void {
    if (!cell.isInSheet) return;
    const value = valueOf(cell.type, content, pieces);
    if (value === null && formula === null && cell.style === 0) return;
    limits.add("cells", 1);
    if (typeof value === "string") limits.add("characters", value.length);
    cells.push({ row, col, value, style: cell.style, formula });
  }

  function valueOf(type: string, raw: string, texts: readonly string[]): CellValue {
    if (type === "inlineStr") return clipped(unescapeText(texts.join("")));
    if (type === "str") return clipped(unescapeText(raw));
    if (raw === "") return null;
    if (type === "s") return clipped(strings[Number(raw)] ?? "");
    if (type === "b") return isTrue(raw);
    // The cell was waiting for an answer, which won't arrive here.
    if (type === "e") return /^#(?:BUSY!|GETTING_DATA|CONNECT!)$/.test(raw) ? null : raw.slice(0, 40);
    if (type === "d") return serialOf(raw) ?? clipped(raw);
    const number = Number(raw);
    return Number.isFinite(number) ? number : clipped(raw);
  }

  await readXml(part, xml, {
    open(element, attributes) {
      if (element === "c") openCell(attributes);
      else if (element === "row") openRow(attributes);
      else if (element === "f") formula = formulaOf(attributes);
      else if (element === "col") openColumns(attributes);
      else if (element === "rPh") isPhonetic = true;
      else if (element === "pane" && /^frozen/.test(attribute(attributes, "state") ?? "")) {
        frozenRows = frozen(attribute(attributes, "ySplit"), 1_000);
        frozenCols = frozen(attribute(attributes, "xSplit"), 200);
      } else if (element === "mergeCell" && merged.length < maxMergedAreas) {
        const area = parseArea(attribute(attributes, "ref") ?? "");
        if (area !== null) merged.push(area);
      } else if (unshownElements.has(element)) unshown.add(unshownElements.get(element) ?? element);
    },
    text(element, text) {
      if (element === "v") content = text;
      else if (element === "t" && !isPhonetic) pieces.push(text);
      else if (element === "f" && formula !== null) formula = { ...formula, text: unescapeText(text).trim() };
    },
    close(element) {
      if (element === "rPh") isPhonetic = false;
      else if (element === "c") closeCell();
    },
  });
  return { cells, columns, rows, frozenRows, frozenCols, merged, unshown };
}

function formulaOf(attributes: Attributes): RawFormula {
  const type = attribute(attributes, "t");
  return {
    kind: type === "shared" || type === "array" ? type : type === "dataTable" ? "table" : "plain",
    text: "",
    area: parseArea(attribute(attributes, "ref") ?? ""),
    shared: attribute(attributes, "si") ?? "",
  };
}

function frozen(split: string | undefined, limit: number): number {
  const count = Number(split ?? 0);
  return Number.isInteger(count) && count > 0 && count <= limit ? count : 0;
}

function clipped(text: string): string {
  return text.length > maxTextLength ? text.slice(0, maxTextLength) : text;
}

/** Reads `2026-11-22` or `2026-11-22T10:30:00`; null for any other text. */
function serialOf(text: string): number | null {
  const isWhole = text.length <= 10 || /[Z+]/.test(text.slice(10));
  const ms = Date.parse(isWhole ? text : `${text}Z`);
  return Number.isFinite(ms) ? serialFromMs(ms) : null;
}
