/**
 * Builds the "Functions" sheet: every function live, with its formula as text beside it, from
 * functions-help.json, the same source as the help pages. Over the workbook port only.
 * Invariant: below a formula whose result is a table there is room for it to spill.
 */
import type { Area, CellValue, Workbook } from "../workbook/port";
import { formats, looks, setWidths, writeBlock } from "../workbook/samples/sample-sheet";
import { field, text } from "./json-fields";

export interface FunctionHelp {
  /** `QTY` */
  readonly name: string;
  readonly description: string;
  /** A formula that works in the demo: `=INV.QTY(1234, "00012345678905")`. */
  readonly live: string;
  /** Names of its arguments. */
  readonly parameters: readonly string[];
}

export interface FunctionsSheet {
  readonly sheet: string;
  /** Where a function (`QTY`, in any letter case) shows its result, for `/?show=QTY`; null for an unknown one. */
  resultOf(name: string): Area | null;
}

const headings = ["Function", "What it gives", "Formula", "Result"];
const widthsPx = [130, 250, 390, 140, 130, 250, 130, 110];
const resultCol = headings.indexOf("Result");
/** The largest table of a known size, the event types, has about 25 rows. */
const tableRows = 30;
/** Rows of a long table whose times are formatted. */
const longTableRows = 400;
/** Where a result holds times, which are Excel serials until a format makes them readable: columns from its first. */
const timeColumns: Readonly<Record<string, number>> = {
  UPDATED: 0,
  ASOF: 0,
  LASTEVENT: 0,
  STOCK: 3,
  EVENTS: 0,
};

/** The functions of a parsed functions-help.json; those without a live formula are left out. */
export function readFunctionsHelp(json: unknown): readonly FunctionHelp[] {
  const list: unknown = Array.isArray(json) ? json : field(json, "functions");
  if (!Array.isArray(list)) {
    throw new Error("functions-help.json holds no list of functions. Build the add-in again.");
  }
  return (list as readonly unknown[]).flatMap((entry) => {
    const live = text(field(entry, "live"));
    const name = text(field(entry, "name")).replace(/^INV\./i, "");
    const parameters: unknown = field(entry, "arguments");
    if (!live.startsWith("=") || name === "") return [];
    return [
      {
        name,
        description: text(field(entry, "description")),
        live,
        parameters: Array.isArray(parameters) ? parameters.map((one) => text(field(one, "name"))) : [],
      },
    ];
  });
}

/** Adds the sheet and fills it; formulas calculate at once. */
export async function buildFunctionsSheet(
  workbook: Workbook,
  functions: readonly FunctionHelp[],
): Promise<FunctionsSheet> {
  const sheet = await workbook.addSheet("Functions", { frozenRows: 1 });
  const placed = place(functions);
  const height = Math.max(0, ...placed.map(({ row }) => row)) + 1;
  const cells: CellValue[][] = Array.from({ length: height }, () => headings.map(() => null));
  cells[0] = [...headings];
  for (const { row, help } of placed) {
    const result = `D${row + 1}`;
    cells[row] = [`INV.${help.name}`, help.description, `=FORMULATEXT(${result})`, help.live];
  }
  await writeBlock(workbook, { sheet, row: 0, col: 0 }, cells);
  await workbook.format({ sheet, row: 0, col: 0, rows: 1, cols: headings.length }, looks.header);
  await workbook.format({ sheet, row: 1, col: 0, rows: height, cols: 1 }, { bold: true });
  await workbook.format({ sheet, row: 1, col: 1, rows: height, cols: 1 }, looks.label);
  await setWidths(workbook, sheet, widthsPx);
  for (const { row, help } of placed) {
    const offset = timeColumns[help.name.toUpperCase()];
    if (offset === undefined) continue;
    const rows = rank(help) === 0 ? 1 : rank(help) === 1 ? tableRows : longTableRows;
    const times = { sheet, row, col: resultCol + offset, rows, cols: 1 };
    await workbook.format(times, { numberFormat: formats.time, align: "left" });
  }
  const rows = new Map(placed.map(({ row, help }) => [help.name.toUpperCase(), row]));
  return {
    sheet,
    resultOf(name) {
      const row = rows.get(name.toUpperCase());
      return row === undefined ? null : { sheet, row, col: resultCol, rows: 1, cols: 1 };
    },
  };
}

/** Single values first, then tables with room below each, and last the tables of unknown length. */
function place(functions: readonly FunctionHelp[]): { readonly row: number; readonly help: FunctionHelp }[] {
  let row = 1;
  return [...functions]
    .sort((a, b) => rank(a) - rank(b))
    .map((help) => {
      const placed = { row, help };
      row += rank(help) === 0 ? 1 : tableRows;
      return placed;
    });
}

/** Only functions that return a table have headers to switch; of those, a span of dates has no known length. */
function rank(help: FunctionHelp): number {
  if (!help.parameters.includes("headers")) return 0;
  return help.parameters.includes("start_date") ? 2 : 1;
}
