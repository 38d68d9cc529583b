/**
 * Builds a template as a new sheet of the open workbook: formats, constants, the Table and rules, then the formulas. Synchronous
 * functions fail in an Excel that lacks them while a rule is added (Microsoft's preview).
 */
import { InvError } from "../../domain/errors";
import { count } from "../../domain/number-words";
import { needsFacts } from "../../domain/templates/template";
import { findTooManyCells, tooManyWords } from "../build-cost";
import { buildSheet } from "../build-sheet";
import type { Area, CellFormat, CellValue, Workbook } from "../port";
import { areaAt, contentsOf, layOutTemplate, type TemplateChoice, type TemplateLayout } from "./fill";
import { formatOf, isPlain, styles } from "./styles";

const mostRows = 20_000;
const mostGridCells = 200_000;

/** Resolves with the new sheet's name when all cells are written; values arrive later. */
export async function buildTemplate(workbook: Workbook, choice: TemplateChoice): Promise<string> {
  refuseTooLarge(choice);
  const { sheet, table } = choice.template;
  const layout = layOutTemplate(choice);
  const tooMany = await findTooManyCells(workbook, () => contentsOf(layout));
  if (tooMany !== null) throw new InvError("not-possible", tooManyWords(tooMany));
  return buildSheet(workbook, {
    ...sheet,
    widthsPx: widthsOf(choice, layout),
    header: table ? layout.columns.map(({ header }) => header) : [],
    rows: [],
    async furnish(step, sheetId) {
      await dress(step, { sheet: sheetId, choice, layout });
      for (const { area, cells } of layout.blocks) {
        const constants = cells.map((row) => row.map((cell) => (isFormula(cell) ? null : cell)));
        if (constants.flat().some((cell) => cell !== null)) {
          await step.write({ ...area, sheet: sheetId }, constants);
        }
      }
      await addTableAndRules(step, { sheet: sheetId, choice, layout });
      await writeFormulas(step, { sheet: sheetId, choice, layout });
      return shownFirst(sheetId, choice, layout);
    },
  });
}

function shownFirst(sheet: string, { template }: TemplateChoice, { grid }: TemplateLayout): Area | null {
  const { select } = template.sheet;
  if (grid) return { sheet, row: grid.row, col: grid.col, rows: 1, cols: 1 };
  return select === undefined ? null : { sheet, ...areaAt(select) };
}

interface Work {
  readonly sheet: string;
  readonly choice: TemplateChoice;
  readonly layout: TemplateLayout;
}

/** Applies formats before values (see `build-sheet.ts`). */
async function dress(workbook: Workbook, { sheet, choice, layout }: Work): Promise<void> {
  const { template } = choice;
  const format = async (
    area: { row: number; col: number; rows: number; cols: number },
    given: CellFormat,
  ) => {
    if (!isPlain(given)) await workbook.format({ sheet, ...area }, given);
  };
  if (template.table) await dressTable(workbook, { sheet, choice, layout });
  if (template.grid && layout.grid) {
    const { labelCols, ...cells } = layout.grid;
    const { row, rows, cols } = cells;
    const col = cells.col - labelCols;
    await format(
      { row: row - 1, col, rows: 1, cols: labelCols + cols },
      { ...styles.header, align: "center" },
    );
    await format({ row, col, rows, cols: 1 }, { bold: true, align: "left" });
    if (template.grid.names) await format({ ...cells, row: row - 2, rows: 1 }, { align: "center" });
    await format(cells, formatOf(template.grid));
  }
  for (const { area, ...given } of template.cellFormats ?? []) await format(areaAt(area), formatOf(given));
}

const gapWidthPx = 22;
const gridWidthPx = 140;
const gridNamesWidthPx = 150;

/**
 * Returns the widths of the sheet's columns, its table, the cells beside it and the grid. If a column has several widths, the
 * last counts.
 */
function widthsOf(
  { template }: TemplateChoice,
  { columns, besideCol, grid }: TemplateLayout,
): readonly (number | undefined)[] {
  const widths = [...(template.sheet.widthsPx ?? [])];
  const set = (col: number, given: readonly (number | undefined)[]): void => {
    for (const [index, widthPx] of given.entries()) if (widthPx !== undefined) widths[col + index] = widthPx;
  };
  const beside = template.table?.beside;
  if (template.table) {
    const columnWidths = columns.map(({ widthPx }) => widthPx);
    set(0, columnWidths);
  }
  if (beside) set(besideCol - 1, [gapWidthPx, ...beside.widthsPx]);
  if (grid === null) return widths;
  if (grid.labelCols > 1) set(grid.col - 1, [gridNamesWidthPx]);
  set(grid.col, Array<number>(grid.cols).fill(gridWidthPx));
  return widths;
}

async function dressTable(workbook: Workbook, { sheet, choice, layout }: Work): Promise<void> {
  const { columns, rows, besideCol } = layout;
  for (const [col, column] of columns.entries()) {
    const body = formatOf(column);
    if (!isPlain(body) && rows > 1) {
      await workbook.format({ sheet, row: 1, col, rows: rows - 1, cols: 1 }, body);
    }
  }
  const beside = choice.template.table?.beside;
  if (!beside) return;
  for (const { row, col, ...format } of beside.cellFormats) {
    const first = besideCol + (col === "second" ? 1 : 0);
    const area = { sheet, row: row - 1, col: first, rows: 1, cols: col === "both" ? 2 : 1 };
    await workbook.format(area, formatOf(format));
  }
}

/** Adds what requires headings and constants: the table, highlights, notes and the chart. */
async function addTableAndRules(workbook: Workbook, { sheet, choice, layout }: Work): Promise<void> {
  const { table, notes = [], chart } = choice.template;
  if (table && layout.rows > 1) {
    await workbook.addTable(
      { sheet, row: 0, col: 0, rows: layout.rows, cols: layout.columns.length },
      table.name,
    );
    for (const [col, { note }] of layout.columns.entries()) {
      if (note !== undefined) await workbook.note({ sheet, row: 0, col }, note);
    }
  }
  for (const { area, rule } of layout.highlights) await workbook.highlight({ sheet, ...area }, rule);
  for (const { at, text } of notes) await workbook.note({ sheet, ...areaAt(at) }, text);
  if (chart) {
    const { kind, title, otherwise } = chart;
    const [data, over] = [chart.data, chart.over].map((area) => ({ sheet, ...areaAt(area) }));
    if (data && over && (await workbook.addChart({ kind, title, data, over }))) return;
    const { area, color } = otherwise;
    await workbook.highlight({ sheet, ...areaAt(area) }, { kind: "bars", color });
  }
}

/** The cells of one column, by row. */
type Column = Map<number, CellValue>;

/** Writes formulas by whole columns, few at a time, and reads a Table's back: Excel may fill its columns from a single formula. */
async function writeFormulas(workbook: Workbook, { sheet, layout }: Work): Promise<void> {
  const columns = columnsOf(layout);
  for (const { row, col, cells } of besideEachOther(columns)) {
    await workbook.write({ sheet, row, col, rows: cells.length, cols: cells[0]?.length ?? 0 }, cells);
  }
  const [rows, cols] = [layout.rows - 1, layout.columns.length];
  if (rows < 1 || cols === 0) return;
  const written = layout.columns.map((_, col) =>
    Array.from({ length: rows }, (_unused, at) => [columns.get(col)?.get(at + 1) ?? null]),
  );
  const readChanged = async (): Promise<readonly number[]> => {
    const found = await workbook.read({ sheet, row: 1, col: 0, rows, cols }, "formulas");
    return written.flatMap((cells, col) =>
      cells.every(([cell = null], at) => isSame(cell, found[at]?.[col] ?? null)) ? [] : [col],
    );
  };
  const changed = await readChanged();
  if (changed.length === 0) return;
  for (const col of changed) {
    await workbook.write({ sheet, row: 1, col, rows, cols: 1 }, written[col] ?? []);
  }
  const [still] = await readChanged();
  if (still === undefined) return;
  throw new InvError(
    "not-possible",
    `Excel fills the column "${layout.columns[still]?.header}" with other formulas than INV's. Switch off "Fill formulas in tables to create calculated columns" (File > Options > Proofing > AutoCorrect Options), then try again.`,
  );
}

/** Excel may spell a formula in its own way. */
function isSame(written: CellValue, found: CellValue): boolean {
  const plain = (cell: CellValue): string =>
    String(cell ?? "")
      .replaceAll(/\s/g, "")
      .toUpperCase();
  return plain(written) === plain(found);
}

/** Where blocks overlap, the last one counts. */
function columnsOf({ blocks }: TemplateLayout): ReadonlyMap<number, Column> {
  const columns = new Map<number, Column>();
  for (const { area, cells } of blocks) {
    for (const [r, row] of cells.entries()) {
      for (const [c, cell] of row.entries()) {
        const column = columns.get(area.col + c) ?? new Map<number, CellValue>();
        columns.set(area.col + c, column.set(area.row + r, cell));
      }
    }
  }
  return columns;
}

/** Joins columns that begin and end in the same rows: the browser workbook calculates after each write. */
function besideEachOther(columns: ReadonlyMap<number, Column>) {
  const joined: { row: number; col: number; cells: CellValue[][] }[] = [];
  for (const [col, column] of [...columns].sort(([one], [other]) => one - other)) {
    for (const { row, cells } of formulaRuns(column)) {
      const leftColumns = joined.find(
        (each) =>
          each.row === row &&
          each.cells.length === cells.length &&
          each.col + (each.cells[0]?.length ?? 0) === col,
      );
      if (leftColumns === undefined) joined.push({ row, col, cells });
      else for (const [at, line] of leftColumns.cells.entries()) line.push(...(cells[at] ?? []));
    }
  }
  return joined;
}

function formulaRuns(column: Column): { readonly row: number; readonly cells: CellValue[][] }[] {
  const runs: { row: number; cells: CellValue[][] }[] = [];
  for (const [row, cell] of [...column].sort(([one], [other]) => one - other)) {
    if (!isFormula(cell)) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.row + last.cells.length === row) last.cells.push([cell]);
    else runs.push({ row, cells: [[cell]] });
  }
  return runs;
}

function isFormula(cell: CellValue): boolean {
  return typeof cell === "string" && cell.startsWith("=");
}

function refuseTooLarge({ template, rows }: TemplateChoice): void {
  const { pairs, stores, items } = rows;
  const [size, limit, unit] = template.grid
    ? [stores.length * items.length, mostGridCells, "cells"]
    : [pairs.length, mostRows, "rows"];
  if (needsFacts[template.needs].takesRows && size === 0) {
    throw new InvError(
      "not-possible",
      "No stores or GTINs selected. Select cells that contain them, or type them.",
    );
  }
  if (size > limit) {
    throw new InvError(
      "not-possible",
      `These are ${count(size)} ${unit}; a sheet takes at most ${count(limit)}. Select fewer, or make several sheets.`,
    );
  }
}
