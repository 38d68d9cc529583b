/**
 * The cases sheet of the demo: one row for every kind of answer and refusal, live, with the formula
 * spelt out and a sentence that says what to expect. A case whose item the demo world lacks is left out.
 */
import { type DemoData, exampleStore, suppliersItems } from "./demo-data";
import type { CellValue, Workbook } from "../port";
import { formats, looks, setWidths, writeBlock } from "./sample-sheet";

interface Case {
  readonly title: string;
  readonly store: CellValue;
  readonly item: CellValue;
  /** The formula without `=`; `{s}` and `{i}` stand for the row's store and item. */
  readonly formula: string;
  readonly expect: string;
}

const headers = ["Case", "Store", "Item", "Result", "What to expect", "Formula"];

/** Adds the sheet and shows it; resolves with its name once written. */
export async function buildCasesSheet(workbook: Workbook, demoData: DemoData): Promise<string> {
  const rows = allCases(demoData).map((each, index) => toRow(each, index + 2));
  return workbook.step(async () => {
    const sheet = await workbook.addSheet("Cases", { frozenRows: 1 });
    const body = { sheet, row: 1, rows: rows.length };
    await setWidths(workbook, sheet, [206, 52, 126, 210, 490, 310]);
    await workbook.format({ sheet, row: 0, col: 0, rows: 1, cols: headers.length }, looks.header);
    await workbook.format({ ...body, col: 1, cols: 2 }, { ...looks.input, align: "left" });
    await workbook.format({ ...body, col: 3, cols: 1 }, { numberFormat: formats.quantity, align: "left" });
    await workbook.format({ ...body, col: 4, cols: 2 }, looks.note);
    await writeBlock(workbook, { sheet, row: 0, col: 0 }, [headers, ...rows]);
    await workbook.select({ sheet, row: 1, col: 3, rows: 1, cols: 1 });
    return sheet;
  });
}

function toRow({ title, store, item, formula, expect }: Case, row: number): CellValue[] {
  const filled = formula.replaceAll("{s}", `B${row}`).replaceAll("{i}", `C${row}`);
  return [title, store, item, `=${filled}`, expect, filled];
}

function allCases(data: DemoData): readonly Case[] {
  const store = exampleStore(data);
  const own = suppliersItems(data);
  const gtin = own[0]?.gtin ?? "";
  const here = { store, item: gtin };
  return [
    ...answers(here, Number(gtin), String(own[0]?.wm_item_number ?? "")),
    ...noSuchValue(data, here),
    ...wrongEntries(here),
    ...histories(here),
  ];
}

type Place = Pick<Case, "store" | "item">;

function answers(here: Place, gtinAsNumber: number, itemNumber: string): readonly Case[] {
  return [
    {
      ...here,
      title: "A quantity",
      formula: "INV.QTY({s},{i})",
      expect: "Units on the shelf. 0 would mean that the service said 0.",
    },
    {
      ...here,
      title: "The backroom",
      formula: 'INV.QTY({s},{i},"BACKROOM")',
      expect: "Units in the backroom.",
    },
    {
      ...here,
      title: "Shelf and backroom together",
      formula: 'INV.QTY({s},{i},"ALL")',
      expect: "The sum over the location areas.",
    },
    {
      ...here,
      title: "A GTIN stored as a number",
      item: gtinAsNumber,
      formula: "INV.QTY({s},{i})",
      expect: "The first row's quantity: the zeros that Excel dropped are put back.",
    },
    {
      ...here,
      title: "By item number",
      item: itemNumber,
      formula: 'INV.QTY({s},{i},,,"wm_item_number")',
      expect: "The first row's quantity: the same item by the retailer's number.",
    },
    {
      store: null,
      item: null,
      title: "A blank row",
      formula: "INV.QTY({s},{i})",
      expect: "Blank, and no call: planning sheets have blank rows.",
    },
  ];
}

function noSuchValue(data: DemoData, here: Place): readonly Case[] {
  const gap = data.items.find((item) => item.stores_without_data.some((each) => data.stores.includes(each)));
  const gapStore = gap?.stores_without_data.find((each) => data.stores.includes(each));
  const own = data.accounts[0]?.supplier_name;
  const rival = data.items.find((item) => own !== undefined && item.supplier_name !== own)?.gtin;
  const cases: Case[] = [
    {
      ...here,
      title: "A GTIN that nobody has",
      item: "00099999999994",
      formula: "INV.QTY({s},{i})",
      expect: "#N/A: the service answered, and has no such item.",
    },
  ];
  if (gap !== undefined && gapStore !== undefined) {
    cases.push({
      title: "No data at this store",
      store: gapStore,
      item: gap.gtin,
      formula: "INV.QTY({s},{i})",
      expect: "#N/A: the service answered that it has no data of the item here.",
    });
  }
  if (rival !== undefined) {
    cases.push(
      {
        ...here,
        title: "Another supplier's item",
        item: rival,
        formula: "INV.QTY({s},{i})",
        expect: "#N/A: the service answered that the item is not mapped to you.",
      },
      {
        ...here,
        title: "The service's reason as text",
        item: rival,
        formula: "INV.STATUS({s},{i})",
        expect: "The reason in the service's words.",
      },
      {
        ...here,
        title: "IFNA, never IFERROR",
        item: rival,
        formula: 'IFNA(INV.QTY({s},{i}),"not ours")',
        expect: "The words in place of #N/A. An outage would still be seen; IFERROR would hide it.",
      },
    );
  }
  return cases;
}

function wrongEntries(here: Place): readonly Case[] {
  const refused = (title: string, changed: Partial<Case>, why: string): Case => ({
    ...here,
    formula: "INV.QTY({s},{i})",
    ...changed,
    title,
    expect: `#VALUE!: ${why} Nothing is sent.`,
  });
  return [
    refused("Letters in the GTIN", { item: "12345ABC" }, "a GTIN has digits only."),
    refused(
      "The letter O for a zero",
      { item: "OOO12345678905" },
      "the reason names the letter and what was meant.",
    ),
    refused(
      "A 9-digit number",
      { item: "123456789" },
      "it may be an item number; the reason says how to ask for one.",
    ),
    refused("A store of one digit", { store: 7 }, "a store number has 2 to 6 digits."),
    refused(
      "A location area that is none",
      { formula: 'INV.QTY({s},{i},"SHELF")' },
      "the reason lists the areas.",
    ),
  ];
}

function histories(here: Place): readonly Case[] {
  return [
    {
      ...here,
      title: "A history of several pages",
      formula: "ROWS(INV.EVENTS({s},{i},,,,,FALSE))",
      expect: "Events of the last 7 days: all pages are fetched, and fetched once for all formulas.",
    },
    {
      ...here,
      title: "One event type",
      formula: 'INV.EVENTQTY({s},{i},"SALES")',
      expect: "The SALES quantities added up, with the service's sign.",
    },
    {
      ...here,
      title: "A date too far back",
      formula: 'INV.EVENTQTY({s},{i},"SALES","2020-01-01")',
      expect: "#VALUE!: histories reach back 6 days.",
    },
  ];
}
