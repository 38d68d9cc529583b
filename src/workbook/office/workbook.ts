/**
 * The workbook port over Office.js: each verb in as few round trips to Excel as it can have. Office's
 * globals enter as parameters; no other file of INV calls Excel. Every rejection is an InvError that
 * says what to do.
 */
import { InvError } from "../../domain/errors";
import { formatCells, writeCells } from "./cells";
import { createEditWatch } from "./edits";
import { findOfficeFormulas } from "./find";
import { readBlocks } from "./read";
import { recalculateInOffice } from "./recalculate";
import { createSelectionWatch } from "./selection";
import { createOfficeSession, type OfficeGlobals } from "./session";
import type { Area, CellValue, Workbook } from "../port";
import { freeSheetName } from "../sheet-names";

/** @param globals `{ excel: Excel, office: Office }`, once Office is ready */
export function createOfficeWorkbook(globals: OfficeGlobals): Workbook {
  const session = createOfficeSession(globals);
  const { settings } = globals.office.context.document;

  return {
    sheets: () =>
      session.run(async (context) => {
        const { worksheets } = context.workbook;
        worksheets.load("items/name,items/visibility");
        await context.sync();
        return worksheets.items.map(({ name, visibility }) => ({ name, visible: visibility === "Visible" }));
      }),

    addSheet: (name, options) =>
      session.run(async (context) => {
        const { worksheets } = context.workbook;
        worksheets.load("items/name");
        await context.sync();
        const free = freeSheetName(
          name,
          worksheets.items.map((sheet) => sheet.name),
        );
        const sheet = worksheets.add(free);
        const frozenRows = options?.frozenRows ?? 0;
        if (frozenRows > 0 && session.supports("1.7")) sheet.freezePanes.freezeRows(frozenRows);
        sheet.activate();
        await session.send(context, 1);
        return free;
      }),

    read: (area, what) =>
      session.run(async (context) => {
        const rows: CellValue[][] = [];
        await readBlocks(context, { blocks: [area], property: what }, (_part, cells) => {
          for (const line of cells) rows.push(line.map((cell) => toValue(cell, what)));
        });
        return rows;
      }),

    write: (area, cells) => writeCells(session, area, cells),
    format: (area, format) => formatCells(session, area, format),
    findFormulas: (matches, within) =>
      session.run((context) => findOfficeFormulas(context, { matches, within })),
    onEdit: createEditWatch(session),

    async recalculate(cells) {
      session.demand("1.9", "recalculate chosen cells");
      await session.run((context) => recalculateInOffice(context, cells));
    },

    onSelection: createSelectionWatch(session, globals.excel),
    select: (area) => session.run((context) => selectArea(context, area)),

    setting: (key) => {
      const value: unknown = settings.get(key);
      return Promise.resolve(typeof value === "string" ? value : null);
    },
    setSetting: (key, value) => {
      settings.set(key, value);
      return new Promise((resolve, reject) => {
        settings.saveAsync((result) => {
          // By its value: the enumeration itself is one of Office's globals.
          if (String(result.status) === "succeeded") resolve();
          else reject(notSaved());
        });
      });
    },

    step: (work) => session.step(work),
  };
}

/** An empty cell reads as "" in Excel, like a formula that gives "". */
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

function notSaved(): InvError {
  return new InvError(
    "internal",
    "The workbook did not take the setting; it may be read-only. Save a copy of it, then try again.",
  );
}
