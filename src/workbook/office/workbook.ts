/**
 * The workbook port over Office.js, with few round trips to Excel. Office's globals are parameters; no other folder calls
 * Excel. Every rejection is an InvError that says what to do.
 */
import { InvError } from "../../domain/errors";
import { areaOf } from "./area";
import { formatCells, keptText, writeCells } from "./cells";
import {
  broughtOfficeFormats,
  createOfficeContents,
  type OfficeContents,
  officeNumberFormats,
} from "./contents";
import { createEditWatch } from "./edits";
import { officeExtents } from "./extents";
import { findOfficeFormulas } from "./find";
import { hiddenOfficeRows } from "./hidden-rows";
import { officeNames } from "./names";
import { readBlocks } from "./read";
import { recalculateInOffice } from "./recalculate";
import { createSelectionWatch } from "./selection";
import { createExcelBatches, type OfficeGlobals, type ExcelBatches } from "./excel-batches";
import { createOfficeSettings } from "./settings";
import type { Area, CellValue, NewSheet, Workbook } from "../port";
import { freeSheetName } from "../sheet-names";

/** Loaded only when INV builds a sheet. */
const formatting = () => import(/* webpackChunkName: "formatting" */ "./formatting");
/** Loaded only when INV makes a template of a sheet. */
const highlights = () => import(/* webpackChunkName: "highlights" */ "./highlights");
/** Loaded only when INV copies sheets. */
const copying = () => import(/* webpackChunkName: "copy-sheets" */ "./copy-sheets");

/** @param globals `{ excel: Excel, office: Office }`, once Office is ready */
export function createOfficeWorkbook(globals: OfficeGlobals): Workbook {
  const foreignErrors = new Map<string, string>();
  const batches = createExcelBatches(globals);
  const shared = {
    mostInvCells: null,
    onBeyondLimit: () => undefined,
    calculated: () => Promise.resolve(),
    onEdit: createEditWatch(batches),
    onSelection: createSelectionWatch(batches, globals.excel),
    ...createOfficeSettings(globals.office.context.document.settings),
  };
  const over = (batches: ExcelBatches): Workbook => ({
    ...shared,
    ...methodsOver(batches, createOfficeContents(batches, foreignErrors)),
    step: (work, options) => batches.step((inner) => work(over(inner)), options),
  });
  return over(batches);
}

type Shared =
  | "mostInvCells"
  | "onBeyondLimit"
  | "calculated"
  | "onEdit"
  | "onSelection"
  | "setting"
  | "setSetting"
  | "step";

function methodsOver(batches: ExcelBatches, contents: OfficeContents): Omit<Workbook, Shared> {
  return {
    sheets: () =>
      batches.run(async (context) => {
        const { worksheets } = context.workbook;
        worksheets.load("items/id,items/name,items/visibility,items/protection/protected");
        await context.sync();
        return worksheets.items.map(({ id, name, visibility, protection }) => ({
          id,
          name,
          visible: visibility === "Visible",
          isProtected: protection.protected,
        }));
      }),

    async addSheet(name, options) {
      const added = await batches.ungrouped((context) => addSheet(context, name));
      await batches.run(async (context) => {
        freezePanes(context.workbook.worksheets.getItem(added), options, batches);
        await batches.send(context);
      });
      return added;
    },

    usedArea: (sheet) =>
      batches.run(async (context) => {
        const used = context.workbook.worksheets.getItem(sheet).getUsedRangeOrNullObject(true);
        used.load("rowIndex,columnIndex,rowCount,columnCount");
        await context.sync();
        if (used.isNullObject) return null;
        const { row, col, rows, cols } = areaOf(sheet, used);
        return { sheet, row: 0, col: 0, rows: row + rows, cols: col + cols };
      }),

    read: (area, what) =>
      batches.run(async (context) => {
        const rows: CellValue[][] = [];
        await readBlocks(context, { blocks: [area], property: what }, (_part, cells) => {
          for (const line of cells) rows.push(line.map((cell) => toValue(cell, what)));
        });
        return rows;
      }),

    contentsOf: contents.contentsOf,

    deleteSheet: (id) =>
      batches.ungrouped(
        async (context) => {
          const sheet = context.workbook.worksheets.getItemOrNullObject(id);
          sheet.load("name");
          await context.sync();
          if (sheet.isNullObject) return;
          // Excel can't delete a very hidden sheet (documented), so make it hidden first.
          sheet.visibility = "Hidden";
          sheet.delete();
          await context.sync();
        },
        { isCleanUp: true },
      ),

    write(area, cells, { asText } = { asText: false }) {
      return writeCells(batches, area, asText ? cells.map((row) => row.map(keptText)) : cells);
    },
    format: (area, format) => formatCells(batches, area, format),
    formatsOf: async (area) => (await formatting()).officeFormats(batches, area),
    copyWithValues: async (copies) => (await copying()).copySheetsInOffice(batches, contents, copies),
    highlightsOf: async (sheet) => (await highlights()).officeHighlights(batches, sheet),
    notesOf: async (sheet) => (await formatting()).officeNotes(batches, sheet),
    highlight: async (area, rule) => (await formatting()).highlightInOffice(batches, area, rule),
    note: async (cell, text) => (await formatting()).noteInOffice(batches, cell, text),
    addTable: async (area, name) => (await formatting()).addOfficeTable(batches, area, name),
    tables: async () => (await formatting()).officeTables(batches),
    names: () => officeNames(batches),
    numberFormats: (cells) => officeNumberFormats(batches, cells),
    broughtFormats: (cells) => broughtOfficeFormats(batches, cells),
    addChart: async (chart) => {
      await (await formatting()).addOfficeChart(batches, chart);
      return true;
    },
    extents: (cells) => officeExtents(batches, cells),
    hiddenRows: (area) => hiddenOfficeRows(batches, area),
    findFormulas: (matches, within) =>
      batches.run((context) => findOfficeFormulas(context, { matches, within })),

    async recalculate(cells) {
      batches.demand("1.9", "recalculate chosen cells");
      return batches.run((context) => recalculateInOffice(context, cells));
    },

    select: (area) => batches.run((context) => selectArea(context, area)),
  };
}

/** Adds it alone: after a batch that failed in its middle, INV wouldn't know whether the sheet is there, and which one it is. */
async function addSheet(context: Excel.RequestContext, name: string): Promise<string> {
  const { worksheets } = context.workbook;
  worksheets.load("items/name");
  await context.sync();
  const inUse = worksheets.items.map((sheet) => sheet.name);
  const sheet = worksheets.add(freeSheetName(name, inUse)).load("id");
  await context.sync();
  return sheet.id;
}

function freezePanes(
  sheet: Excel.Worksheet,
  { frozenRows = 0, frozenCols = 0 }: NewSheet = {},
  batches: ExcelBatches,
): void {
  if (!batches.supports("1.7")) return;
  const { freezePanes: panes } = sheet;
  if (frozenRows > 0 && frozenCols > 0) {
    panes.freezeAt(sheet.getRangeByIndexes(0, 0, frozenRows, frozenCols));
  } else if (frozenRows > 0) panes.freezeRows(frozenRows);
  else if (frozenCols > 0) panes.freezeColumns(frozenCols);
}

/** Returns null for an empty cell: Excel returns "" for it, as for a formula that returns "". */
function toValue(cell: unknown, what: "values" | "formulas" | "text"): CellValue {
  if (cell === "" && what !== "text") return null;
  if (typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean") return cell;
  return null;
}

async function selectArea(context: Excel.RequestContext, area: Area): Promise<void> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(area.sheet);
  sheet.load("visibility");
  await context.sync();
  if (sheet.isNullObject) {
    throw new InvError("internal", `The sheet "${area.sheet}" is no longer there. Refresh to see what is.`);
  }
  if (sheet.visibility !== "Visible") {
    throw new InvError("internal", `The sheet "${area.sheet}" is hidden. Unhide it to see the cell.`);
  }
  sheet.activate();
  sheet.getRangeByIndexes(area.row, area.col, area.rows, area.cols).select();
  await context.sync();
}
