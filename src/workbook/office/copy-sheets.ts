/**
 * Copies sheets as Paste Special does, values and formats. One batch fills all copies: no cell passes through INV, so their number has no
 * limit, errors stay errors in every language, and no custom function is copied (office-js 2031). The batch takes the used range
 * as it is then, so the copy is whole. If it has another size than planned, or if cells still waited, INV deletes the copies.
 * It fills and deletes only sheets that it added itself, by their ids: a colleague may rename one, or add one of the same name meanwhile.
 */
import { InvError } from "../../domain/errors";
import { sheetCols, sheetRows } from "../../formula/columns";
import { mergeCells, visitCells } from "../cell-areas";
import { withoutKind } from "../cell-content";
import { changedMeanwhile } from "../selected-areas";
import { isPending, stillWaiting } from "../still-waiting";
import { styles } from "../templates/styles";
import { removeUnfinished } from "../unfinished-sheets";
import type { Area, CellContent, CellRef, SheetCopy } from "../port";
import { areaOf, rangeOf } from "./area";
import { keptText, formatCells, formatRange, toExcel } from "./cells";
import type { OfficeContents } from "./contents";
import type { ExcelBatches } from "./excel-batches";
import { hiddenOfficeRows } from "./hidden-rows";

/** Columns whose widths INV copies. */
const mostWidths = 200;

export async function copySheetsInOffice(
  batches: ExcelBatches,
  contents: OfficeContents,
  copies: readonly SheetCopy[],
): Promise<void> {
  const layouts = await layoutsOf(batches, copies);
  const added: NewCopy[] = [];
  try {
    await addSheets(batches, copies, added);
    await fillAll(batches, added, layouts);
    await finish(batches, added, layouts);
    await refuseWaiting(batches, contents, added);
  } catch (error) {
    await removeUnfinished(
      error,
      added.map(({ to }) => to),
      () => deleteSheets(batches, added),
    );
  }
}

/** A copy whose sheet is there. */
interface NewCopy extends SheetCopy {
  readonly id: string;
}

function deleteSheets(batches: ExcelBatches, added: readonly NewCopy[]): Promise<void> {
  return batches.run(async (context) => {
    for (const { id } of added) context.workbook.worksheets.getItemOrNullObject(id).delete();
    await context.sync();
  });
}

interface Layout {
  readonly widths: readonly number[];
  readonly hiddenCols: readonly boolean[];
  readonly hiddenRows: readonly boolean[];
  readonly frozen: { readonly rows: number; readonly cols: number };
}

/** Reads what pasting formats leaves behind: the widths of columns, hidden rows and columns, and frozen panes. */
async function layoutsOf(batches: ExcelBatches, copies: readonly SheetCopy[]): Promise<readonly Layout[]> {
  const layouts = await batches.run(async (context) => {
    const { worksheets, protection } = context.workbook;
    if (batches.supports("1.7")) protection.load("protected");
    const loads = copies.map(({ area }) => {
      const columns = rangeOf(context, { ...area, rows: 1, cols: Math.min(mostWidths, area.cols) });
      const panes = worksheets.getItem(area.sheet).freezePanes.getLocationOrNullObject();
      return {
        widths: columns.getColumnProperties({ columnHidden: true, format: { columnWidth: true } }),
        panes: panes.load("rowIndex,columnIndex,rowCount,columnCount"),
      };
    });
    await context.sync();
    if (batches.supports("1.7") && protection.protected) throw protectedWorkbook();
    return loads.map(({ widths, panes }) => ({
      widths: widths.value.map(({ format }) => format?.columnWidth ?? 0),
      hiddenCols: widths.value.map(({ columnHidden }) => columnHidden === true),
      frozen: panes.isNullObject
        ? { rows: 0, cols: 0 }
        : {
            // Frozen columns alone reach to the last row of the sheet.
            rows: panes.rowCount >= sheetRows ? 0 : panes.rowCount,
            cols: panes.columnCount >= sheetCols ? 0 : panes.columnCount,
          },
    }));
  });
  const found: Layout[] = [];
  for (const [index, layout] of layouts.entries()) {
    const area = copies[index]?.area;
    found.push({ ...layout, hiddenRows: area === undefined ? [] : await hiddenOfficeRows(batches, area) });
  }
  return found;
}

/** Adds a blank sheet for each copy, one by one: after a batch that failed in its middle, INV wouldn't know what that has added. */
async function addSheets(
  batches: ExcelBatches,
  copies: readonly SheetCopy[],
  added: NewCopy[],
): Promise<void> {
  for (const copy of copies) {
    await batches.run(async (context) => {
      const sheet = context.workbook.worksheets.add(copy.to).load("id");
      await context.sync();
      added.push({ ...copy, id: sheet.id });
    });
  }
}

async function fillAll(
  batches: ExcelBatches,
  copies: readonly NewCopy[],
  layouts: readonly Layout[],
): Promise<void> {
  await batches.run(async (context) => {
    const { worksheets } = context.workbook;
    const used = copies.map((copy, index) => {
      const { area, id, above } = copy;
      const { widths, frozen } = layouts[index] ?? { widths: [], frozen: { rows: 0, cols: 0 } };
      const corner = worksheets.getItem(area.sheet).getRangeByIndexes(0, 0, 1, 1);
      const source = corner.getBoundingRect(worksheets.getItem(area.sheet).getUsedRange(true));
      source.load("rowIndex,columnIndex,rowCount,columnCount");
      const sheet = worksheets.getItem(id);
      const target = sheet.getRangeByIndexes(0, 0, 1, 1);
      target.copyFrom(source, "Values");
      target.copyFrom(source, "Formats");
      for (const [col, width] of widths.entries()) {
        if (width > 0) sheet.getRangeByIndexes(0, col, 1, 1).format.columnWidth = width;
      }
      // Excel moves references in rules when it inserts rows. When it pastes formats elsewhere, absolute ones keep their addresses.
      const inserted = above.length;
      sheet.getRangeByIndexes(0, 0, inserted, 1).getEntireRow().insert("Down");
      // Excel may give inserted rows the format of the rows beside them.
      sheet.getRangeByIndexes(0, 0, inserted, area.cols).clear("Formats");
      const lines = sheet.getRangeByIndexes(0, 0, above.length, 1);
      lines.formulas = above.map((line) => [toExcel(keptText(line))]);
      formatRange(lines, { ...styles.note, align: "left" });
      if (frozen.rows > 0 || frozen.cols > 0) {
        const rows = frozen.rows === 0 ? 0 : frozen.rows + inserted;
        if (rows > 0 && frozen.cols > 0) {
          sheet.freezePanes.freezeAt(sheet.getRangeByIndexes(0, 0, rows, frozen.cols));
        } else if (rows > 0) sheet.freezePanes.freezeRows(rows);
        else sheet.freezePanes.freezeColumns(frozen.cols);
      }
      return { area, source };
    });
    await context.sync();
    for (const { area, source } of used) {
      const now = areaOf(area.sheet, source);
      if (now.rows !== area.rows || now.cols !== area.cols) throw changedMeanwhile(area.sheet);
    }
  });
}

/** Sets the formats that the originals' values brought, and hides rows and columns. There may be one for each cell or row. */
async function finish(
  batches: ExcelBatches,
  copies: readonly NewCopy[],
  layouts: readonly Layout[],
): Promise<void> {
  await batches.step(async (step) => {
    for (const [index, { id, above, formats }] of copies.entries()) {
      const { hiddenRows = [], hiddenCols = [] } = layouts[index] ?? {};
      for (const [row, rows] of runsOf(hiddenRows)) {
        const area = { sheet: id, row: row + above.length, col: 0, rows, cols: 1 };
        await hide(step, area, "rowHidden");
      }
      for (const [col, cols] of runsOf(hiddenCols)) {
        await hide(step, { sheet: id, row: 0, col, rows: 1, cols }, "columnHidden");
      }
      for (const numberFormat of new Set(formats.map((each) => each.numberFormat))) {
        const sameFormat = formats.filter((each) => each.numberFormat === numberFormat);
        const cells = sameFormat.map(({ ref }) => ({ sheet: id, row: ref.row + above.length, col: ref.col }));
        for (const area of mergeCells(cells)) await formatCells(step, area, { numberFormat });
      }
    }
  });
}

function hide(batches: ExcelBatches, area: Area, what: "rowHidden" | "columnHidden"): Promise<void> {
  return batches.run(async (context) => {
    rangeOf(context, area)[what] = true;
    await batches.send(context);
  });
}

/** Returns where each run of true begins, and how long it is. */
function runsOf(flags: readonly boolean[]): readonly (readonly [from: number, length: number])[] {
  return flags.flatMap((flag, from) => {
    if (!flag || flags[from - 1] === true) return [];
    const end = flags.indexOf(false, from);
    return [[from, (end === -1 ? flags.length : end) - from] as const];
  });
}

/** Refuses copies of cells that still waited. Reads only errors. */
async function refuseWaiting(
  batches: ExcelBatches,
  contents: OfficeContents,
  copies: readonly NewCopy[],
): Promise<void> {
  const areas = await batches.run(async (context) => {
    const found = copies.map(({ id }) => {
      const used = context.workbook.worksheets.getItem(id).getUsedRange();
      return { id, errors: used.getSpecialCellsOrNullObject("Constants", "Errors").load("areaCount") };
    });
    await context.sync();
    const withErrors = found.filter(({ errors }) => !errors.isNullObject);
    for (const { errors } of withErrors) {
      errors.areas.load("items/rowIndex,items/columnIndex,items/rowCount,items/columnCount");
    }
    await context.sync();
    return withErrors.flatMap(({ id, errors }) => errors.areas.items.map((range) => areaOf(id, range)));
  });
  const returned = new Map(copies.map(({ id, errors, above }) => [id, errorKeys(errors, above.length)]));
  for (const [index, rows] of (await contents.contentsOf(areas)).entries()) {
    const area = areas[index];
    if (rows.flat().some(isPending)) throw stillWaiting();
    if (area === undefined) continue;
    visitCells(area, rows, (content, { row, col }) => {
      // In a local Excel of 2021, #BUSY! is such an error.
      if (!contents.isNamed(content) && returned.get(area.sheet)?.has(`${row} ${col}`) !== true) {
        throw unnamed(content);
      }
    });
  }
}

function errorKeys(errors: readonly CellRef[], rowsAbove: number): ReadonlySet<string> {
  return new Set(errors.map(({ row, col }) => `${row + rowsAbove} ${col}`));
}

function unnamed(content: CellContent): InvError {
  return new InvError(
    "not-possible",
    `A cell shows ${String(withoutKind(content))}, and this Excel doesn't say whether it waits for a value. Wait until no cell shows it, or correct the cell, then copy again.`,
  );
}

function protectedWorkbook(): InvError {
  return new InvError(
    "not-possible",
    "The workbook is protected, so INV can't add a sheet. Choose Protect Workbook on the Review tab to unprotect it, then copy again.",
  );
}
