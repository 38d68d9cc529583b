/**
 * Builds a template as a new sheet of the open workbook, in one undo step. If a build fails, it deletes its sheet.
 */
import { InvError } from "../../domain/errors";
import type { CellFormat, Workbook } from "../port";
import { areaAt, layOutTemplate, type TemplateChoice, type TemplateLayout } from "./fill";
import { formatOf, isPlain, styles } from "./styles";

const mostRows = 20_000;
const mostGridCells = 200_000;
/** Rows written at once, so that a large sheet appears while it grows. */
const rowsAtOnce = 5_000;

/** Resolves with the new sheet's name when all cells are written; values arrive later. */
export async function buildTemplate(workbook: Workbook, choice: TemplateChoice): Promise<string> {
  refuseTooLarge(choice);
  const { template } = choice;
  const { frozenRows = 0, frozenCols = 0, name } = template.sheet;
  const layout = layOutTemplate(choice);
  return workbook.step(
    async (workbook) => {
      const sheet = await workbook.addSheet(name, { frozenRows, frozenCols });
      try {
        await dress(workbook, { sheet, choice, layout });
        for (const { area, cells, isText } of layout.blocks) {
          if (isText) await workbook.writeText({ ...area, sheet }, cells);
          for (let from = isText ? cells.length : 0; from < cells.length; from += rowsAtOnce) {
            const part = cells.slice(from, from + rowsAtOnce);
            await workbook.write({ ...area, sheet, row: area.row + from, rows: part.length }, part);
          }
        }
        await furnish(workbook, { sheet, choice, layout });
        const { select } = template.sheet;
        if (layout.grid) {
          const { row, col } = layout.grid;
          await workbook.select({ sheet, row, col, rows: 1, cols: 1 });
        } else if (select !== undefined) await workbook.select({ sheet, ...areaAt(select) });
      } catch (error) {
        // Report the original error; a failed deletion must not replace it.
        await workbook.deleteSheet(sheet).catch(() => undefined);
        throw error;
      }
      return sheet;
    },
    { asOneUndo: true },
  );
}

interface Work {
  readonly sheet: string;
  readonly choice: TemplateChoice;
  readonly layout: TemplateLayout;
}

/**
 * Applies formats before values, because a column of dates that is too narrow shows `###`. Applies widths before other formats,
 * because the browser workbook measures every formatted row again at each width.
 */
async function dress(workbook: Workbook, { sheet, choice, layout }: Work): Promise<void> {
  const { template } = choice;
  const format = async (
    area: { row: number; col: number; rows: number; cols: number },
    given: CellFormat,
  ) => {
    if (!isPlain(given)) await workbook.format({ sheet, ...area }, given);
  };
  for (const { col, cols, widthPx } of widthsOf(choice, layout)) {
    await workbook.format({ sheet, row: 0, col, rows: 1, cols }, { widthPx });
  }
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

interface Widths {
  readonly col: number;
  readonly cols: number;
  readonly widthPx: number;
}

const gapWidthPx = 22;
const gridWidthPx = 128;
const gridNamesWidthPx = 150;

/**
 * Returns the widths of the sheet's columns, its table, the cells beside it and the grid. If a column has several widths, the
 * last counts.
 */
function widthsOf(
  { template }: TemplateChoice,
  { columns, besideCol, grid }: TemplateLayout,
): readonly Widths[] {
  const beside = template.table?.beside;
  const widths = [
    ...(template.sheet.widthsPx ?? []).map((widthPx, col) => ({ col, widthPx })),
    ...(template.table ? columns.map(({ widthPx }, col) => ({ col, widthPx })) : []),
    ...(beside ? [{ col: besideCol - 1, widthPx: gapWidthPx }] : []),
    ...(beside?.widthsPx ?? []).map((widthPx, index) => ({ col: besideCol + index, widthPx })),
  ].flatMap(({ col, widthPx }) => (widthPx === undefined ? [] : [{ col, cols: 1, widthPx }]));
  if (grid === null) return widths;
  const names = grid.labelCols > 1 ? [{ col: grid.col - 1, cols: 1, widthPx: gridNamesWidthPx }] : [];
  return [...widths, ...names, { col: grid.col, cols: grid.cols, widthPx: gridWidthPx }];
}

async function dressTable(workbook: Workbook, { sheet, choice, layout }: Work): Promise<void> {
  const { columns, rows, besideCol } = layout;
  await workbook.format({ sheet, row: 0, col: 0, rows: 1, cols: columns.length }, styles.header);
  for (const [col, column] of columns.entries()) {
    // Align headers left: the table's filter buttons cover the right end.
    const { headerAlign = "left" } = column;
    await workbook.format({ sheet, row: 0, col, rows: 1, cols: 1 }, { align: headerAlign });
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

/** Adds what requires written cells: the table, highlights, notes and the chart. */
async function furnish(workbook: Workbook, { sheet, choice, layout }: Work): Promise<void> {
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

function refuseTooLarge({ template, rows }: TemplateChoice): void {
  const { pairs, stores, items } = rows;
  const wanted = template.needs === "grid" ? stores.length * items.length : pairs.length;
  const most = template.needs === "grid" ? mostGridCells : mostRows;
  if (template.needs !== "nothing" && wanted === 0) {
    throw new InvError(
      "bad-argument",
      "No stores or GTINs selected. Select cells that contain them, or type them.",
    );
  }
  if (wanted > most) {
    throw new InvError(
      "bad-argument",
      `These are ${wanted} ${template.needs === "grid" ? "cells" : "rows"}; a sheet takes at most ${most}. Select fewer, or make several sheets.`,
    );
  }
}
