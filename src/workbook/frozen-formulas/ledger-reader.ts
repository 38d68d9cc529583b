/** The rows of the ledger's sheets as they are read: a head with the state, and a line for each formula. */
import type { Workbook } from "../port";
import { fromRow, headings, type LedgerEntry } from "./entry";
import { isLedgerSheet } from "./ledger-sheets";
import { newer, notOurs } from "./refusals";

/** What was under way when the workbook was left; `none` when all is done. */
export type LedgerState = "none" | "freezing" | "thawing";

export interface LedgerRow {
  readonly sheet: string;
  readonly row: number;
}

interface Found {
  readonly entry: LedgerEntry;
  readonly row: LedgerRow;
}

export const mark = "INV ledger";
export const version = 3;
export const firstLine = 2;
export const width = headings.length;
const formulaColumn = headings.indexOf("Formula");
const nameColumn = headings.indexOf("Name");
/** About 40 MB of workbook; what is more is refused. */
export const mostLines = 200_000;
const states: readonly LedgerState[] = ["none", "freezing", "thawing"];

export function createLedgerReader(workbook: Workbook) {
  async function sheets(): Promise<readonly string[]> {
    return (await workbook.sheets()).map(({ name }) => name).filter(isLedgerSheet);
  }

  /** Null for a sheet that was added and not written to: what added it ended there. */
  async function readHead(sheet: string): Promise<{ state: LedgerState; end: number } | null> {
    const [top] = await workbook.read({ sheet, row: 0, col: 0, rows: 1, cols: 5 }, "values");
    const [name = null, found = null, state = null, , end = 0] = top ?? [];
    if (name === null && found === null) return null;
    if (name !== mark || typeof found !== "number") throw notOurs(sheet);
    if (found > version) throw newer();
    return {
      state: states.find((each) => each === state) ?? "none",
      end: Math.min(firstLine + mostLines, Math.max(firstLine, Number(end ?? 0))),
    };
  }

  async function readLines(sheet: string, end: number): Promise<Found[]> {
    if (end <= firstLine) return [];
    const area = { sheet, row: firstLine, col: 0, rows: end - firstLine, cols: width };
    return (await workbook.read(area, "values")).flatMap((cells, index) => {
      const entry = fromRow(cells);
      return entry === null ? [] : [{ entry, row: { sheet, row: firstLine + index } }];
    });
  }

  /** Of each sheet that has any, how many lines it has and which names they use: two columns instead of all. */
  async function readUse() {
    const found: { sheet: string; state: LedgerState; lines: number; names: readonly string[] }[] = [];
    for (const sheet of await sheets()) {
      const { state, end } = (await readHead(sheet)) ?? { state: "freezing", end: firstLine };
      const column = { sheet, row: firstLine, rows: end - firstLine, cols: 1 };
      const [formulas = [], names = []] =
        end === firstLine
          ? []
          : await workbook.contentsOf([formulaColumn, nameColumn].map((col) => ({ ...column, col })));
      const isLine = (row: number): boolean => (formulas[row]?.[0] ?? "") !== "";
      found.push({
        ...{ sheet, state },
        lines: formulas.filter((_, row) => isLine(row)).length,
        names: names.flatMap(([name], row) =>
          isLine(row) ? (typeof name === "string" ? name.toLowerCase() : "") : [],
        ),
      });
    }
    return found;
  }

  async function readSheets() {
    const found: { sheet: string; state: LedgerState; lines: Found[] }[] = [];
    for (const sheet of await sheets()) {
      // A sheet's state comes before its lines: those of one that was complete then are complete.
      const head = await readHead(sheet);
      found.push({
        sheet,
        state: head?.state ?? "freezing",
        lines: head === null ? [] : await readLines(sheet, head.end),
      });
    }
    return found;
  }

  return { sheets, readHead, readUse, readSheets };
}
