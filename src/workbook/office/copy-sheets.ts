/**
 * Copies sheets as Paste Special does, values and formats. One batch fills all copies: no cell passes through INV, so their number has no
 * limit, errors stay errors in every language, and no custom function is copied (office-js 2031). The batch takes the used range
 * as it is then, so the copy is whole. If it has another size than planned, or if cells still waited, INV deletes the copies.
 * It deletes only sheets that it added itself, by their ids: a colleague may have added one of the same name meanwhile.
 */
import { InvError } from "../../domain/errors";
import { sheetCols, sheetRows } from "../../formula/columns";
import { mergeCells } from "../cell-areas";
import { changedMeanwhile } from "../selected-areas";
import { isPending, stillWaiting } from "../still-waiting";
import { styles } from "../templates/styles";
import type { SheetCopy } from "../port";
import { areaOf, rangeOf } from "./area";
import { keptText, formatCells, formatRange, toExcel } from "./cells";
import type { OfficeContents } from "./contents";
import type { ExcelBatches } from "./excel-batches";

/** Columns whose widths INV copies. */
const mostWidths = 200;

export async function copySheetsInOffice(
  batches: ExcelBatches,
  contents: OfficeContents,
  copies: readonly SheetCopy[],
): Promise<void> {
  const layouts = await layoutsOf(batches, copies);
  const added: string[] = [];
  try {
    await addSheets(batches, copies, added);
    await fillAll(batches, copies, layouts);
    await formatTimes(batches, copies);
    await refuseWaiting(batches, contents, copies);
  } catch (error) {
    // A person would take a partial copy for the whole.
    await batches.ungrouped(async (context) => {
      for (const id of added) context.workbook.worksheets.getItemOrNullObject(id).delete();
      await context.sync();
    });
    throw error;
  }
}

interface Layout {
  readonly widths: readonly number[];
  readonly frozen: { readonly rows: number; readonly cols: number };
}

/** Reads what pasting formats leaves behind: the widths of columns, and frozen panes. */
async function layoutsOf(batches: ExcelBatches, copies: readonly SheetCopy[]): Promise<readonly Layout[]> {
  return batches.run(async (context) => {
    const { worksheets, protection } = context.workbook;
    if (batches.supports("1.7")) protection.load("protected");
    const asked = copies.map(({ area }) => {
      const columns = rangeOf(context, { ...area, rows: 1, cols: Math.min(mostWidths, area.cols) });
      const panes = worksheets.getItem(area.sheet).freezePanes.getLocationOrNullObject();
      return {
        widths: columns.getColumnProperties({ format: { columnWidth: true } }),
        panes: panes.load("rowIndex,columnIndex,rowCount,columnCount"),
      };
    });
    await context.sync();
    if (batches.supports("1.7") && protection.protected) throw protectedWorkbook();
    return asked.map(({ widths, panes }) => ({
      widths: widths.value.map(({ format }) => format?.columnWidth ?? 0),
      frozen: panes.isNullObject
        ? { rows: 0, cols: 0 }
        : {
            // Frozen columns alone reach to the last row of the sheet.
            rows: panes.rowCount >= sheetRows ? 0 : panes.rowCount,
            cols: panes.columnCount >= sheetCols ? 0 : panes.columnCount,
          },
    }));
  });
}

/** Adds a blank sheet for each copy, one by one: after a batch that failed in its middle, INV wouldn't know what that has added. */
async function addSheets(
  batches: ExcelBatches,
  copies: readonly SheetCopy[],
  added: string[],
): Promise<void> {
  for (const { to } of copies) {
    await batches.run(async (context) => {
      const sheet = context.workbook.worksheets.add(to).load("id");
      await context.sync();
      added.push(sheet.id);
    });
  }
}

async function fillAll(
  batches: ExcelBatches,
  copies: readonly SheetCopy[],
  layouts: readonly Layout[],
): Promise<void> {
  await batches.run(async (context) => {
    const { worksheets } = context.workbook;
    const used = copies.map((copy, index) => {
      const { area, to, above } = copy;
      const { widths, frozen } = layouts[index] ?? { widths: [], frozen: { rows: 0, cols: 0 } };
      const corner = worksheets.getItem(area.sheet).getRangeByIndexes(0, 0, 1, 1);
      const source = corner.getBoundingRect(worksheets.getItem(area.sheet).getUsedRange(true));
      source.load("rowIndex,columnIndex,rowCount,columnCount");
      const sheet = worksheets.getItem(to);
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

/** Sets the formats that the originals' values brought. There may be one for each cell. */
async function formatTimes(batches: ExcelBatches, copies: readonly SheetCopy[]): Promise<void> {
  await batches.step(async (step) => {
    for (const { to, above, formats } of copies) {
      for (const numberFormat of new Set(formats.map((each) => each.numberFormat))) {
        const own = formats.filter((each) => each.numberFormat === numberFormat);
        const cells = own.map(({ ref }) => ({ sheet: to, row: ref.row + above.length, col: ref.col }));
        for (const area of mergeCells(cells)) await formatCells(step, area, { numberFormat });
      }
    }
  });
}

/** Refuses copies of cells that still waited. Reads only errors. */
async function refuseWaiting(
  batches: ExcelBatches,
  contents: OfficeContents,
  copies: readonly SheetCopy[],
): Promise<void> {
  const areas = await batches.run(async (context) => {
    const found = copies.map(({ to }) => {
      const used = context.workbook.worksheets.getItem(to).getUsedRange();
      return { to, errors: used.getSpecialCellsOrNullObject("Constants", "Errors").load("areaCount") };
    });
    await context.sync();
    const withErrors = found.filter(({ errors }) => !errors.isNullObject);
    for (const { errors } of withErrors) {
      errors.areas.load("items/rowIndex,items/columnIndex,items/rowCount,items/columnCount");
    }
    await context.sync();
    return withErrors.flatMap(({ to, errors }) => errors.areas.items.map((range) => areaOf(to, range)));
  });
  if ((await contents.contentsOf(areas)).flat(2).some(isPending)) throw stillWaiting();
}

function protectedWorkbook(): InvError {
  return new InvError(
    "not-possible",
    "The workbook is protected, so INV can't add a sheet. Choose Protect Workbook on the Review tab to unprotect it, then copy again.",
  );
}
