/**
 * Opens a file in place of the workbook. It reads the file, asks the person, and saves the file on this device as the
 * page's workbook. Then it reloads the page, so that functions, pane and undo keep nothing of the previous workbook.
 * The open workbook stays untouched until the file is saved. Every failure is shown in one sentence.
 */
import { messageOf } from "../../domain/errors";
import { environmentSetting } from "../../workbook/settings";
import { isLedgerSheet } from "../../workbook/frozen-formulas/ledger-sheets";
import type { OpenGrid } from "../open-grid";
import type { KeptSettings } from "../saved/kept-settings";
import type { SavedBook } from "../saved/saved-book";
import { faultOfSaved } from "../saved/saved-shape";
import { isFileFault } from "./file-fault";
import { type OpenedNote, openedSetting } from "./opened-note";
import { openedSettings } from "./opened-settings";
import { readFile } from "./read-file";
import type { FileSheet } from "./file-book";

export interface OpenFileOptions {
  readonly grid: Pick<OpenGrid, "snapshotOfFile">;
  readonly book: Pick<SavedBook, "replace">;
  readonly kept: Pick<KeptSettings, "begin">;
  confirm(question: string): boolean;
  tell(sentence: string): void;
  reload(): void;
}

export async function openFile(file: File, options: OpenFileOptions): Promise<void> {
  const { grid, book, kept, tell } = options;
  const name = file.name.slice(0, 120);
  try {
    tell(`Reading ${name} …`);
    const read = await readFile(new Uint8Array(await file.arrayBuffer()));
    tell("");
    const sheets = read.sheets.filter((sheet) => !isLedgerSheet(sheet.name));
    if (!options.confirm(question(name, sheets, read.left))) return;
    const settings = new Map(openedSettings(read));
    const environment = settings.get(environmentSetting) ?? null;
    settings.set(openedSetting, JSON.stringify({ name, left: read.left } satisfies OpenedNote));
    const snapshot = await grid.snapshotOfFile(read, settings);
    const fault = faultOfSaved(snapshot);
    if (fault !== null) throw new Error(`what it holds ${fault}.`);
    if (!(await book.replace(snapshot))) {
      tell("This workbook is open in another tab, which saves it. Open the file there, or close that tab.");
      return;
    }
    // The file bears no mark of this device, so the person is asked before credentials are used for it.
    kept.begin(environment);
    options.reload();
  } catch (error) {
    tell(isFileFault(error) ? error.message : `The file could not be opened: ${messageOf(error)}`);
  }
}

function question(fileName: string, sheets: readonly FileSheet[], left: readonly string[]): string {
  const names = sheets.slice(0, 5).map(({ name }) => name);
  const named = names.join(", ") + (sheets.length > names.length ? ", …" : "");
  const formulas = sheets.flatMap(({ cells }) => cells.filter(({ formula }) => formula !== undefined)).length;
  return [
    `Open ${fileName}?`,
    `It has ${counted(sheets.length, "sheet")} (${named}) and ${counted(formulas, "formula")}. It replaces the open workbook; choose Cancel to download that one first.`,
    ...(left.length === 0 ? [] : [`Not shown here, and not in a download from here: ${left.join(", ")}.`]),
  ].join("\n\n");
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
