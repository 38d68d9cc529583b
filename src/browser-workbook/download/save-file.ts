/**
 * Downloads the workbook's values and formats as an .xlsx file. Its first sheet says what the file is. Functions of
 * an add-in show `#NAME?` in a file that another program wrote, until somebody enters them again, so the file contains none.
 */
import { dateFromMs } from "../../domain/dates";
import { ageLine, sourceLine, type ValueFacts } from "../../workbook/share/about-values";
import { freeSheetName } from "../../workbook/sheet-names";
import type { FileBook, FileSheet } from "./file-book";
import { writeXlsx } from "./write-xlsx";

export interface DownloadFacts extends ValueFacts {
  readonly nowMs: number;
}

/** Downloads the workbook as a file whose name contains the date. Rejects with the signal's reason if it is aborted. */
export async function saveAsFile(book: FileBook, facts: DownloadFacts, signal: AbortSignal): Promise<void> {
  const address = URL.createObjectURL(await writeXlsx(withFacts(book, facts), signal));
  const link = document.createElement("a");
  link.href = address;
  link.download = `INV ${dateFromMs(facts.nowMs)}.xlsx`;
  link.click();
  // Keep the URL for a while: the browser reads the file asynchronously.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Adds the sheet about the copy, and gives all sheets names that Excel accepts. */
export function withFacts({ sheets, shownSheet }: FileBook, facts: DownloadFacts): FileBook {
  const names: string[] = [];
  const named = [factsSheet(facts), ...sheets].map((sheet) => {
    const name = freeSheetName(sheet.name, names);
    names.push(name);
    return { ...sheet, name };
  });
  return { sheets: named, shownSheet: shownSheet + 1 };
}

function factsSheet(facts: DownloadFacts): FileSheet {
  const lines = [
    sourceLine("Values of an INV browser workbook, downloaded", facts.environment, facts.nowMs),
    ageLine(facts),
    "This file has no formulas. To take them along, save a sheet as a template in INV's Templates tab.",
  ];
  return {
    name: "About this copy",
    isHidden: false,
    frozenRows: 0,
    frozenCols: 0,
    defaultWidthPx: 64,
    columns: [],
    merged: [],
    notes: [],
    rows: () =>
      lines.map((line, row) => ({
        row,
        heightPx: null,
        isHidden: false,
        cells: [{ col: 0, content: line, style: null }],
      })),
  };
}
