/**
 * The events sheet of the demo: the last days' sales, receipts and adjustments of one item at one store,
 * spilled by a single `=INV.EVENTS(store, gtin)`, with the figures a planner asks of them above.
 * Change store or GTIN and everything follows; all formulas share one fetched history.
 */
import { type DemoData, exampleStore, suppliersItems } from "./demo-data";
import type { Workbook } from "../port";
import { formats, looks, setWidths, writeBlock } from "./sample-sheet";

/** Row of the spilled headers; above it, and frozen with it, what was asked. */
const headerRow = 4;
/** A week of a busy item; rows beyond it would only lack their number format. */
const formattedRows = 2000;

/** Adds the sheet and shows it; resolves with its name once written. */
export async function buildEventsSheet(workbook: Workbook, demoData: DemoData): Promise<string> {
  const store = exampleStore(demoData);
  const gtin = suppliersItems(demoData)[0]?.gtin ?? "";
  return workbook.step(async () => {
    const sheet = await workbook.addSheet("Events", { frozenRows: headerRow + 1 });
    await formatSheet(workbook, sheet);
    await writeBlock(workbook, { sheet, row: 0, col: 0 }, [
      ["Store", store, null, "Sales, last 7 days", '=IFNA(INV.EVENTQTY(B1,B2,"SALES"),0)'],
      ["GTIN", gtin, null, "Last sale (UTC)", '=IFNA(INV.LASTEVENT(B1,B2,"SALES"),"none")'],
      [
        "On the shelf",
        "=INV.QTY(B1,B2)",
        null,
        "Last receipt (UTC)",
        '=IFNA(INV.LASTEVENT(B1,B2,"LR"),"none")',
      ],
    ]);
    await writeBlock(workbook, { sheet, row: headerRow, col: 0 }, [["=INV.EVENTS(B1,B2)"]]);
    await workbook.select({ sheet, row: headerRow, col: 0, rows: 1, cols: 1 });
    return sheet;
  });
}

async function formatSheet(workbook: Workbook, sheet: string): Promise<void> {
  const body = { sheet, row: headerRow + 1, rows: formattedRows };
  await setWidths(workbook, sheet, [144, 122, 300, 126, 138]);
  await workbook.format({ sheet, row: 0, col: 0, rows: 3, cols: 1 }, looks.label);
  await workbook.format({ sheet, row: 0, col: 3, rows: 3, cols: 1 }, looks.label);
  await workbook.format({ sheet, row: 0, col: 1, rows: 3, cols: 1 }, { align: "left" });
  await workbook.format({ sheet, row: 0, col: 1, rows: 2, cols: 1 }, looks.input);
  await workbook.format({ sheet, row: 2, col: 1, rows: 1, cols: 1 }, { numberFormat: formats.quantity });
  await workbook.format({ sheet, row: 0, col: 4, rows: 3, cols: 1 }, { align: "left" });
  await workbook.format({ sheet, row: 0, col: 4, rows: 1, cols: 1 }, { numberFormat: formats.quantity });
  await workbook.format({ sheet, row: 1, col: 4, rows: 2, cols: 1 }, { numberFormat: formats.time });
  await workbook.format({ sheet, row: headerRow, col: 0, rows: 1, cols: 5 }, looks.header);
  await workbook.format({ sheet, row: headerRow, col: 3, rows: 1, cols: 2 }, { align: "right" });
  await workbook.format({ ...body, col: 0, cols: 1 }, { numberFormat: "yyyy-mm-dd hh:mm:ss", align: "left" });
  await workbook.format({ ...body, col: 3, cols: 2 }, { numberFormat: formats.quantity });
}
