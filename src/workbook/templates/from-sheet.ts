/**
 * Makes a template for the team from an open sheet: its formulas, constants, styles and widths. Rows of stores and items become
 * a table that each person fills with their own rows; the stores and items themselves are omitted. Conditional formats and notes
 * come along, and those that a template can't contain are counted. The result passes the checks of any template, so people learn at
 * once what can't be shared.
 */
import { InvError } from "../../domain/errors";
import { findColumns } from "../../domain/validator/find-columns";
import { count } from "../../domain/number-words";
import { readTemplate } from "../../domain/templates/read-template";
import {
  noteText,
  mostHighlights,
  mostNotes,
  type Template,
  type TemplateColumn,
} from "../../domain/templates/template";
import { isInvFormula, callsIn, invFunctionNamed } from "../../formula/calls";
import { respellCorners, areaOfCells } from "../../formula/cells";
import { respellReferences, sheetNamed, references } from "../../formula/references";
import { respelled, tokensOf } from "../../formula/tokens";
import { areaAddress } from "../addresses";
import { mergeCells, visitCells } from "../cell-areas";
import { isBlank } from "../cell-content";
import type { Area, CellFormat, CellNote, CellRef, CellValue, FormulaExtent, Workbook } from "../port";
import { cut, mostLetters } from "../sheet-names";
import { savedHighlights } from "./saved-highlights";
import { columnName } from "../../formula/columns";
import { functionFacts } from "../../domain/functions";

export interface TemplateNames {
  readonly title: string;
  readonly summary: string;
}

const mostRows = 20_000;
const mostCols = 60;

const unnamed = "Template";

/** A kind of thing on the sheet that the template doesn't contain: `icon set`, and how many of them. */
interface NotSaved {
  readonly name: string;
  readonly count: number;
}

export interface SheetTemplate {
  /** Without a person's title and sentence. */
  readonly template: Template;
  readonly notSaved: readonly NotSaved[];
}

export async function templateOfSheet(workbook: Workbook, sheet: string): Promise<SheetTemplate> {
  const used = await workbook.usedArea(sheet);
  if (used === null) throw new InvError("not-possible", `The sheet "${sheet}" is empty.`);
  if (used.rows > mostRows || used.cols > mostCols) {
    throw new InvError(
      "not-possible",
      `The sheet "${sheet}" is too large for a template, which has at most ${mostCols} columns and ${count(mostRows)} rows. Delete what isn't needed, or copy the part to share to a new sheet.`,
    );
  }
  const { cells, spills, lists } = await readOwnCells(workbook, used);
  const { runs, widthsPx } = await formatRuns(workbook, used);
  const table = findTable(cells, { spills, lists });
  const rest = cells.map((row, r) => row.map((cell, c) => (isInTable(table, r, c) ? null : cell)));
  const words = (value: CellValue): CellValue => (table ? withLastRow(value, table.rows) : value);
  const outside = (run: Area) => !isInTable(table, run.row, run.col);
  const highlights = savedHighlights(await workbook.highlightsOf(sheet), {
    used,
    table: table && { rows: table.rows, cols: table.columns.length },
    spell: (formula) => String(words(withoutOwnSheet(formula, sheet))),
    limit: mostHighlights,
  });
  const notes = savedNotes(await workbook.notesOf(sheet), table);
  const json = {
    format: "inv-template",
    version: 1,
    id: "template",
    title: unnamed,
    summary: unnamed,
    needs: table ? "pairs" : "nothing",
    environment: null,
    sheet: {
      name: unnamed,
      ...(table ? { frozenRows: 1 } : {}),
      widthsPx: widthsPx.map((width) => Math.min(800, Math.max(5, Math.round(width) || 64))),
    },
    blocks: blocksOf(rest, words),
    ...(table
      ? {
          table: {
            name: "Rows",
            columns: table.columns.map((column, col) => ({
              ...column,
              ...bodyFormat(runs, col),
              ...notes.ofColumn(col),
            })),
            highlights: highlights.ofTable.map(({ columns, rule }) => ({
              columns: columns.map((col) => table.columns[col]?.id),
              rule,
            })),
          },
        }
      : {}),
    cellFormats: runs
      .filter(({ area: run }) => outside(run))
      .map(({ area: run, format }) => ({ area: areaAddress(run), ...portableFormat(format) })),
    notes: notes.others,
    highlights: highlights.others,
  };
  return { template: checked(json), notSaved: countedNames([...highlights.notSaved, ...notes.notSaved]) };
}

/** Returns the template with the names that a person typed. The title also names the sheets that are built from it. */
export function namedTemplate(template: Template, names: TemplateNames): Template {
  const sheet = { ...template.sheet, name: cut(names.title, mostLetters) };
  return checked({ ...template, ...names, id: idOf(names.title), sheet });
}

function checked(json: unknown): Template {
  const { template, faults } = readTemplate(json);
  if (template !== null) return template;
  throw new InvError("not-possible", `INV can't make a template of this sheet: ${faults[0].slice(0, 150)}.`);
}

function countedNames(names: readonly string[]): NotSaved[] {
  return [...new Set(names)].map((name) => ({
    name,
    count: names.filter((each) => each === name).length,
  }));
}

/** A heading's note belongs to its column. Notes of the table's rows are about stores and items, which are omitted. */
function savedNotes(notes: readonly CellNote[], table: FoundTable | null) {
  const isSaved = ({ cell: { row, col }, text }: CellNote): boolean =>
    noteText.safeParse(text).success && (row === 0 || !isInTable(table, row, col));
  const saved = notes.filter(isSaved);
  const isHeading = ({ cell }: CellNote): boolean => isInTable(table, cell.row, cell.col);
  const others = saved.filter((note) => !isHeading(note));
  return {
    ofColumn(col: number): { readonly note?: string } {
      const headingNote = saved.find((note) => isHeading(note) && note.cell.col === col);
      return headingNote === undefined ? {} : { note: headingNote.text };
    },
    others: others.slice(0, mostNotes).map(({ cell, text }) => ({
      at: areaAddress({ ...cell, rows: 1, cols: 1 }),
      text,
    })),
    notSaved: Array<string>(notes.length - saved.length + Math.max(0, others.length - mostNotes)).fill(
      "note",
    ),
  };
}

interface FoundTable {
  readonly columns: readonly TemplateColumn[];
  /** Includes the header row. */
  readonly rows: number;
}

type Cells = readonly (readonly CellValue[])[];

interface OwnCells {
  /** Formulas and constants. What a formula fills besides its own cell is left out: these are values of the moment. */
  readonly cells: Cells;
  readonly spills: readonly FormulaExtent[];
  /** The constants, and values that formulas without INV spill: they may be the table's stores and items. */
  readonly lists: Cells;
}

async function readOwnCells(workbook: Workbook, used: Area): Promise<OwnCells> {
  const read = (await workbook.read(used, "formulas")).map((line) =>
    line.map((cell) => withoutOwnSheet(cell, used.sheet)),
  );
  const formulas: CellRef[] = [];
  visitCells(used, read, (cell, ref) => {
    if (isFormula(cell)) formulas.push(ref);
  });
  const extents = await workbook.extents(formulas);
  const spills = [...extents.filter(({ rows, cols }) => rows * cols > 1), ...sharedArrays(extents, read)];
  const cells = read.map((line) => [...line]);
  const lists = read.map((line) => line.map((cell) => (isFormula(cell) ? null : cell)));
  for (const { row, col, ...size } of spills) {
    const isInv = isInvFormula(String(read[row]?.[col]));
    for (let r = row; r < Math.min(row + size.rows, used.rows); r += 1) {
      for (let c = col; c < Math.min(col + size.cols, used.cols); c += 1) {
        if (r > row || c > col) cells[r]?.splice(c, 1, null);
        if (isInv) lists[r]?.splice(c, 1, null);
      }
    }
  }
  return { cells, spills, lists };
}

/** Each cell of an array formula (Ctrl+Shift+Enter) has its text. Returns it once, with all cells that it fills. */
function sharedArrays(extents: readonly FormulaExtent[], read: Cells): readonly FormulaExtent[] {
  const byText = new Map<string, CellRef[]>();
  for (const extent of extents) {
    if (!extent.isSharedArray) continue;
    const text = String(read[extent.row]?.[extent.col]);
    byText.set(text, [...(byText.get(text) ?? []), extent]);
  }
  return [...byText.values()].flatMap((cells) =>
    mergeCells(cells).map((area) => ({ ...area, isSharedArray: false })),
  );
}

/** The sheet that is built from the template has another name. */
function withoutOwnSheet(cell: CellValue, sheet: string): CellValue {
  if (!isFormula(cell)) return cell;
  const sheetName = sheet.toLowerCase();
  return respelled(tokensOf(cell), ({ kind, text }) =>
    kind === "sheet" && sheetNamed(text).toLowerCase() === sheetName ? "" : undefined,
  );
}

/**
 * Finds a table: headers in row 1, and pairs of store and item below. Another column repeats one formula, is filled by a formula
 * that spills, or contains constants, which are omitted.
 */
function findTable(cells: Cells, { spills, lists }: Pick<OwnCells, "spills" | "lists">): FoundTable | null {
  const [headers = []] = cells;
  const width = headers.findIndex((header) => typeof header !== "string" || header === "");
  const headed = width === -1 ? headers.length : width;
  const { store, item, firstRow } = findColumns(lists.map((row) => row.slice(0, headed)));
  const last = headed - 1;
  const cols = last !== store && last !== item && isLabelled(cells, headed) ? last : headed;
  if (store === null || item === null || firstRow !== 1) return null;
  const end = lists.findIndex((row, index) => index > 0 && (row[store] ?? null) === null);
  const rows = end === -1 ? cells.length : end;
  const columns: TemplateColumn[] = [];
  for (let col = 0; col < cols; col += 1) {
    const header = String(headers[col]).slice(0, 60);
    const spill = spills.find((each) => each.col === col && each.row > 0 && each.row < rows);
    const body = cells.slice(1, rows).map((row, index) => inRow(row[col] ?? null, index + 2));
    const formulas = body.filter(isFormula);
    const isList = col === store || col === item;
    if (!isList && spill === undefined && formulas.length > 0 && new Set(body).size > 1) return null;
    const formula =
      spill === undefined || isList
        ? withLastRow(formulas[0] ?? null, rows)
        : filledByRow(cells, { spill, header, rows });
    const cell = col === store ? "{store}" : col === item ? "{item}" : formula;
    columns.push({ id: `column-${col + 1}`, header, cell });
  }
  return { columns, rows };
}

/**
 * Returns whether a column without a heading has formulas beside texts: then the texts are its labels, such as those of facts about the
 * sheet, and no column of the table that they touch.
 */
function isLabelled(cells: Cells, col: number): boolean {
  const below = cells.slice(1);
  const labels = below.map((row) => row[col - 1] ?? null).filter((cell) => !isBlank(cell));
  return (
    below.some((row) => isFormula(row[col] ?? null)) &&
    labels.length > 0 &&
    labels.every((label) => typeof label === "string" && !isFormula(label))
  );
}

/** Returns the formula of each row for a formula that spills down its column, because a Table can't contain the latter. */
function filledByRow(
  cells: Cells,
  { spill, header, rows }: { readonly spill: FormulaExtent; readonly header: string; readonly rows: number },
): string {
  const formula = String(cells[spill.row]?.[spill.col]);
  const ofRow = spill.row === 1 && spill.cols === 1 ? rowFormula(formula, rows) : null;
  if (ofRow !== null) return ofRow;
  throw new InvError(
    "not-possible",
    `INV can't make a template of this sheet: one formula fills the column "${header}", ${formula.slice(0, 80)}. ` +
      "Enter a formula in each of its rows, then try again.",
  );
}

/** Replaces the formula's own row number with a placeholder, except in references to whole rows. */
function inRow(cell: CellValue, row: number): CellValue {
  if (!isFormula(cell)) return cell;
  return respellReferences(cell, (cells) =>
    respellCorners(cells, ({ col = "", row: part = "" }) =>
      col !== "" && part === String(row) ? `${col}{row}` : col + part,
    ),
  );
}

/** Makes ranges over all rows of the table adapt to its length. */
function withLastRow(cell: CellValue, rows: number): CellValue {
  if (!isFormula(cell)) return cell;
  const overAll = new RegExp(`^(\\$?[A-Z]+\\$?)2(:\\$?[A-Z]+\\$?)${rows}$`, "i");
  return respellReferences(cell, (cells, sheet) =>
    sheet === null ? cells.replace(overAll, "$1{first}$2{last}") : null,
  );
}

function isInTable(table: FoundTable | null, row: number, col: number): boolean {
  return table !== null && row < table.rows && col < table.columns.length;
}

/** Returns the rows from their first filled cell to their last. Rows below each other that fill the same columns are one block. */
function blocksOf(cells: Cells, words: (value: CellValue) => CellValue) {
  const blocks: { readonly row: number; readonly col: number; readonly rows: CellValue[][] }[] = [];
  for (const [row, line] of cells.entries()) {
    const col = line.findIndex((cell) => !isBlank(cell));
    if (col === -1) continue;
    const filled = line.slice(col, line.findLastIndex((cell) => !isBlank(cell)) + 1).map(words);
    const last = blocks.at(-1);
    const continues =
      last?.col === col && last.row + last.rows.length === row && last.rows[0]?.length === filled.length;
    if (continues) last.rows.push(filled);
    else blocks.push({ row, col, rows: [filled] });
  }
  return blocks.map(({ row, col, rows }) => ({ at: areaAddress({ row, col, rows: 1, cols: 1 }), rows }));
}

function bodyFormat(runs: readonly { area: Area; format: CellFormat }[], col: number) {
  const body = runs.find(({ area }) => area.col === col && area.row <= 1 && area.row + area.rows > 1);
  return body ? portableFormat(body.format) : {};
}

/** Omits colours without six digits, because every host must be able to read templates. */
function portableFormat(format: CellFormat): CellFormat {
  const isColor = (color: string | undefined) => color !== undefined && /^#[0-9a-f]{6}$/i.test(color);
  const { fill, color, ...rest } = withoutWidth(format);
  return {
    ...rest,
    ...(fill !== undefined && isColor(fill) ? { fill } : {}),
    ...(color !== undefined && isColor(color) ? { color } : {}),
  };
}

const longestId = 40;
/** Of a 32-bit number in letters and digits. */
const digestLength = 7;

/**
 * Other letters than a to z become their code points, and an id that would be too long ends with a digest, so that a template never
 * replaces another one whose title begins alike.
 */
export function idOf(title: string): string {
  const letters = title
    // ß becomes ss.
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/(?![a-z0-9])[\p{L}\p{N}]/gu, (letter) => `-${letter.codePointAt(0)?.toString(16)}-`)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const id = /^[a-z]/.test(letters) ? letters : `template-${letters}`.replace(/-$/, "");
  if (id.length <= longestId) return id;
  return `${id.slice(0, longestId - digestLength - 1).replace(/-$/, "")}-${digestOf(id)}`;
}

/** FNV-1a. */
function digestOf(id: string): string {
  let hash = 0x811c9dc5;
  for (const unit of id) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36).padStart(digestLength, "0");
}

function isFormula(cell: CellValue): cell is string {
  return typeof cell === "string" && cell.startsWith("=");
}

/** Number of rows whose formats are read one by one. All rows below get the formats of the last of these. */
const rowsRead = 60;

export interface FormatRun {
  readonly area: Area;
  readonly format: CellFormat;
}

/** Returns runs of rows that look the same, column by column, and the column widths separately. */
export async function formatRuns(
  workbook: Workbook,
  area: Area,
): Promise<{ readonly runs: readonly FormatRun[]; readonly widthsPx: readonly number[] }> {
  const read = Math.min(area.rows, rowsRead);
  const formats = await workbook.formatsOf({ ...area, rows: read });
  const runs: { area: { -readonly [K in keyof Area]: Area[K] }; format: CellFormat }[] = [];
  const widthsPx = (formats[0] ?? []).map(({ widthPx }) => widthPx ?? 0);
  for (let col = 0; col < area.cols; col += 1) {
    let before = "";
    for (let row = 0; row < read; row += 1) {
      const format = withoutWidth(formats[row]?.[col] ?? {});
      const text = JSON.stringify(format);
      const last = runs.at(-1);
      if (text === before && last) last.area.rows += 1;
      else {
        runs.push({ area: { ...area, row: area.row + row, col: area.col + col, rows: 1, cols: 1 }, format });
      }
      before = text;
    }
    const last = runs.at(-1);
    if (last) last.area.rows += area.rows - read;
  }
  return { runs: runs.filter(({ format }) => Object.keys(format).length > 0), widthsPx };
}

/** Removes the width, which belongs to a column and not to a cell. */
function withoutWidth(format: CellFormat): CellFormat {
  return Object.fromEntries(Object.entries(format).filter(([name]) => name !== "widthPx"));
}

/** Functions that work value by value. For others, a sum for example, the formula of one row isn't a part of the spilled one. */
const byValue: ReadonlySet<string> = new Set(
  `ABS CEILING DATE DAY EXACT FLOOR IF IFERROR IFNA IFS INT ISBLANK ISERROR ISNA ISNUMBER ISTEXT LEFT LEN LOWER MID MOD MONTH NOT
  NOW RIGHT ROUND ROUNDDOWN ROUNDUP SEARCH SIGN SUBSTITUTE SWITCH TEXT TODAY TRIM TRUNC UPPER VALUE WEEKDAY YEAR`.split(
    /\s+/,
  ),
);

/**
 * Turns a formula that spills down a table's column into the formula of one row. Returns null if none can replace it.
 * @param rows of the table, with its header; a reference may go on below them, as `A2:A500` does
 */
function rowFormula(formula: string, rows: number): string | null {
  const areByValue = callsIn(tokensOf(formula)).every(
    ({ name, nameIndex }) => nameIndex === -1 || byValue.has(name) || isOneValue(name),
  );
  const areReadable = references(formula).cells.every(
    (cells) => cells.rows * cells.cols === 1 || (cells.sheet === null && isOverRows(cells, rows)),
  );
  if (!areByValue || !areReadable) return null;
  return respellReferences(formula, (cells, sheet) => {
    const area = sheet === null ? areaOfCells(cells) : null;
    return area !== null && area.rows > 1 ? `${columnName(area.col)}{row}` : null;
  });
}

function isOneValue(name: string): boolean {
  const facts = functionFacts[invFunctionNamed(name) ?? ""];
  return facts !== undefined && facts.isTable === undefined;
}

function isOverRows(
  area: { row: number; rows: number; cols: number; isSpilled: boolean },
  rows: number,
): boolean {
  return !area.isSpilled && area.cols === 1 && area.row === 1 && area.row + area.rows >= rows;
}
