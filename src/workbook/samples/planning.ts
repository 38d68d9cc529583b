/**
 * The planning sheet of the demo: ten stores by twenty items, with shelf and backroom quantities, what
 * to order, and when the service last updated the record. The table starts in A1, so that a row reads
 * `=INV.QTY(A2,B2)`; what belongs to the whole sheet stands to its right.
 * An outage stays visible: formulas wrap IFNA, never IFERROR.
 */
import { type DemoData, suppliersItems } from "./demo-data";
import type { Workbook } from "../port";
import { formats, looks, setWidths, writeBlock } from "./sample-sheet";

const storeCount = 10;
const itemsPerStore = 20;
const orderBelow = 12;

const headers = ["Store", "GTIN", "Shelf", "Backroom", "Total", "Order?", "Last update (UTC)"];
const panelCol = headers.length + 1;

/** Adds the sheet and shows it; resolves with its name once written (values come as they are calculated). */
export async function buildPlanningSheet(workbook: Workbook, demoData: DemoData): Promise<string> {
  const rows = planningRows(demoData);
  return workbook.step(async () => {
    const sheet = await workbook.addSheet("Planning", { frozenRows: 1 });
    await formatTable(workbook, sheet, rows.length);
    await writeBlock(workbook, { sheet, row: 0, col: 0 }, [headers, ...rows]);
    await writePanel(workbook, sheet, rows.length + 1);
    await workbook.select({ sheet, row: 1, col: 2, rows: 1, cols: 1 });
    return sheet;
  });
}

function planningRows(data: DemoData): (string | number)[][] {
  const items = suppliersItems(data).slice(0, itemsPerStore);
  const stores = data.stores.slice(0, storeCount);
  const pairs = stores.flatMap((store) => items.map((item) => [store, item.gtin] as const));
  return pairs.map(([store, gtin], index) => {
    const row = index + 2;
    return [
      store,
      gtin,
      `=INV.QTY(A${row},B${row})`,
      // Most items have no backroom record: that is an answer, and a dash says it more calmly than #N/A.
      `=IFNA(INV.QTY(A${row},B${row},"BACKROOM"),"–")`,
      `=IFNA(C${row}+N(D${row}),"")`,
      `=IF(ISNUMBER(E${row}),IF(E${row}<$J$4,"order",""),E${row})`,
      `=IFNA(INV.UPDATED(A${row},B${row}),"")`,
    ];
  });
}

async function formatTable(workbook: Workbook, sheet: string, rows: number): Promise<void> {
  await setWidths(workbook, sheet, [58, 122, 70, 84, 70, 66, 138, 22, 132, 124]);
  const body = { sheet, row: 1, rows };
  await workbook.format({ sheet, row: 0, col: 0, rows: 1, cols: headers.length }, looks.header);
  await workbook.format({ sheet, row: 0, col: 2, rows: 1, cols: 3 }, { align: "right" });
  await workbook.format({ ...body, col: 0, cols: 2 }, { align: "left" });
  await workbook.format({ ...body, col: 2, cols: 3 }, { numberFormat: formats.quantity, align: "right" });
  await workbook.format({ sheet, row: 0, col: 5, rows: rows + 1, cols: 1 }, { align: "center" });
  await workbook.format({ ...body, col: 5, cols: 1 }, { bold: true, color: "#b3261e" });
  await workbook.format({ ...body, col: 6, cols: 1 }, { numberFormat: formats.time, align: "left" });
}

/** What holds for the whole sheet, and the one figure the planner sets. */
async function writePanel(workbook: Workbook, sheet: string, lastRow: number): Promise<void> {
  const at = (row: number, cols: number, col = panelCol) => ({ sheet, row, col, rows: 1, cols });
  await workbook.format(at(0, 2), looks.header);
  await workbook.format({ ...at(1, 1), rows: 5 }, looks.label);
  await workbook.format({ ...at(1, 1, panelCol + 1), rows: 5 }, { align: "left" });
  await workbook.format(at(2, 1, panelCol + 1), { numberFormat: formats.time });
  await workbook.format(at(3, 1, panelCol + 1), looks.input);
  await workbook.format({ ...at(7, 1), rows: 4 }, looks.note);
  await writeBlock(workbook, { sheet, row: 0, col: panelCol }, [
    ["This sheet", null],
    ["Environment", "=INV.ENV()"],
    ["As of (UTC)", '=IFNA(INV.ASOF(A2,B2),"")'],
    ["Order below", orderBelow],
    ["Rows to order", `=COUNTIF(F2:F${lastRow},"order")`],
    ["Rows without data", `=SUMPRODUCT(--ISNA(C2:C${lastRow}))`],
  ]);
  await writeBlock(workbook, { sheet, row: 7, col: panelCol }, [
    ["Change a store or a GTIN: its row follows."],
    ["#N/A: the service has no such value."],
    ["#VALUE!: nobody answered, or a wrong entry."],
    ["The pane says why, and refreshes."],
  ]);
}
