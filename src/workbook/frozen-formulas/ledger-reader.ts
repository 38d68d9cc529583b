/** Reads the ledger's sheets. Each begins with a header that contains its state; each row below is an entry. */
import { InvError } from "../../domain/errors";
import type { Workbook } from "../port";
import { fromRow, headings, type LedgerEntry } from "./entry";
import { isLedgerSheet } from "./ledger-sheets";

/** What was under way when the workbook was closed; `none` if nothing was. */
export type LedgerState = "none" | "freezing" | "thawing";

export interface LedgerRow {
  readonly sheet: string;
  readonly row: number;
}

interface LedgerHead {
  readonly state: LedgerState;
  /** Index of the row below the last entry. */
  readonly end: number;
}

export const mark = "INV ledger";
export const version = 3;
export const firstLine = 2;
export const width = headings.length;
const formulaColumn = headings.indexOf("Formula");
const nameColumn = headings.indexOf("Name");
/** This many lines add about 40 MB to the workbook. */
export const mostLines = 200_000;
const states: readonly LedgerState[] = ["none", "freezing", "thawing"];

export function createLedgerReader(workbook: Workbook) {
  async function sheets(): Promise<readonly string[]> {
    return (await workbook.sheets()).map(({ name }) => name).filter(isLedgerSheet);
  }

  /** Returns null if the sheet was deleted: another INV deletes the sheets that it has emptied. */
  async function ifThere<T>(sheet: string, work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      if ((await sheets()).includes(sheet)) throw error;
      return null;
    }
  }

  async function readHead(sheet: string): Promise<LedgerHead | null> {
    const head = { sheet, row: 0, col: 0, rows: 1, cols: 5 };
    const cells = await ifThere(sheet, workbook.read(head, "values"));
    if (cells === null) return null;
    const [top] = cells;
    const [name = null, found = null, state = null, , end = 0] = top ?? [];
    // The freeze that added the sheet hasn't written its header yet.
    if (name === null && found === null) return { state: "freezing", end: firstLine };
    if (name !== mark || typeof found !== "number") throw foreignSheet(sheet);
    if (found > version) throw newerLedger();
    return {
      state: states.find((each) => each === state) ?? "none",
      end: Math.min(firstLine + mostLines, Math.max(firstLine, Number(end ?? 0))),
    };
  }

  /** Reads the state before the lines: if the freeze was complete then, so are the lines. */
  async function readSheets() {
    const found: (LedgerHead & { readonly sheet: string })[] = [];
    for (const sheet of await sheets()) {
      const head = await readHead(sheet);
      if (head !== null) found.push({ sheet, ...head });
    }
    return found;
  }

  async function readLines({ sheet, end }: { readonly sheet: string; readonly end: number }) {
    if (end === firstLine) return [];
    const area = { sheet, row: firstLine, col: 0, rows: end - firstLine, cols: width };
    const rows = (await ifThere(sheet, workbook.read(area, "values"))) ?? [];
    return rows.flatMap((cells, index) => {
      const entry: LedgerEntry | null = fromRow(cells);
      return entry === null ? [] : [{ entry, row: { sheet, row: firstLine + index } }];
    });
  }

  /** Returns the name that each line uses; empty if it uses none. Reads only two columns of the sheet. */
  async function readUsedNames({ sheet, end }: { readonly sheet: string; readonly end: number }) {
    if (end === firstLine) return [];
    const column = { sheet, row: firstLine, rows: end - firstLine, cols: 1 };
    const areas = [formulaColumn, nameColumn].map((col) => ({ ...column, col }));
    const [formulas = [], names = []] = (await ifThere(sheet, workbook.contentsOf(areas))) ?? [];
    return names.flatMap(([name], row) => {
      if ((formulas[row]?.[0] ?? "") === "") return [];
      return typeof name === "string" ? name.toLowerCase() : "";
    });
  }

  return { sheets, readHead, readSheets, readLines, readUsedNames };
}

function foreignSheet(sheet: string): InvError {
  return new InvError(
    "internal",
    `The workbook has a sheet "${sheet}" that is not INV's. Rename that sheet, then try again.`,
  );
}

function newerLedger(): InvError {
  return new InvError(
    "internal",
    "These formulas were frozen by a newer INV than this one. Reload INV, or ask your administrator for the new version.",
  );
}
