/**
 * Opens a file in place of the workbook. It reads the file, asks the person, and saves the file on this device as the
 * page's workbook. Then it reloads the page, so that functions, pane and undo keep nothing of the previous workbook.
 * The open workbook stays untouched until the file is saved. Every failure is shown in one sentence.
 */
import { messageOf } from "../../domain/errors";
import { isLedgerSheet } from "../../workbook/frozen-formulas/ledger-sheets";
import type { SavedBook } from "../saved/saved-book";
import { openedSnapshot } from "../univer/opened-snapshot";
import { isFileFault } from "./read-limits";
import { openedSettings } from "./settings-part";
import { readFile } from "./read-file";
import type { FileSheet } from "./file-book";

export async function openFile(
  file: File,
  { book, tell }: { readonly book: Pick<SavedBook, "replace">; tell(sentence: string): void },
): Promise<void> {
  const name = file.name.slice(0, 120);
  try {
    tell(`Reading ${name} …`);
    const read = await readFile(new Uint8Array(await file.arrayBuffer()));
    tell("");
    const sheets = read.sheets.filter((sheet) => !isLedgerSheet(sheet.name));
    if (!window.confirm(question(name, sheets, read.unshown))) return;
    const snapshot = openedSnapshot(read, openedSettings(read), Math.random);
    if (!(await book.replace(snapshot))) {
      tell("This workbook is open in another tab, which saves it. Open the file there, or close that tab.");
      return;
    }
    location.reload();
  } catch (error) {
    tell(isFileFault(error) ? error.message : `The file could not be opened: ${messageOf(error)}`);
  }
}

function question(fileName: string, sheets: readonly FileSheet[], unshown: readonly string[]): string {
  const names = sheets.slice(0, 5).map(({ name }) => name);
  const named = names.join(", ") + (sheets.length > names.length ? ", …" : "");
  const formulas = sheets.flatMap(({ cells }) => cells.filter(({ formula }) => formula !== undefined)).length;
  return [
    `Open ${fileName}?`,
    `It has ${counted(sheets.length, "sheet")} (${named}) and ${counted(formulas, "formula")}. It replaces the open workbook; choose Cancel to download that one first.`,
    ...(unshown.length === 0
      ? []
      : [`Not shown here, and not in a download from here: ${unshown.join(", ")}.`]),
  ].join("\n\n");
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
