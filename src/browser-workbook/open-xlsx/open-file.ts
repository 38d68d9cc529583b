/**
 * Opens a file in place of the workbook: reads it, asks, saves it on this device as the page's workbook, and loads the
 * page again, so that nothing of the workbook before is left in functions, pane or undo. Until it is saved, the open
 * workbook is untouched; whatever fails is told in one sentence.
 */
import { messageOf } from "../../domain/errors";
import { environmentSetting } from "../../workbook/settings";
import { isLedgerSheet } from "../../workbook/frozen-formulas/ledger-sheets";
import type { OpenGrid } from "../open-grid";
import type { KeptSettings } from "../saved/kept-settings";
import type { SavedBook } from "../saved/saved-book";
import { faultOfSaved } from "../saved/saved-shape";
import { ask, type AskParts } from "./ask";
import { isFileFault } from "./file-fault";
import { type OpenedNote, openedSetting } from "./opened-note";
import { openedSettings } from "./opened-settings";
import { readFile } from "./read-file";

export interface OpenFileOptions {
  readonly grid: Pick<OpenGrid, "snapshotOfFile">;
  readonly book: Pick<SavedBook, "replace">;
  readonly kept: Pick<KeptSettings, "begin">;
  readonly parts: AskParts;
  /** Gives the open workbook to the person. */
  download(): void;
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
    const question = {
      fileName: name,
      sheets: sheets.map((sheet) => sheet.name),
      formulas: sheets.flatMap(({ cells }) => cells.filter(({ formula }) => formula !== undefined)).length,
      left: read.left,
    };
    if (!(await ask(options.parts, question, options.download))) return;
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
    // It bears no mark of this device: before credentials serve it, the person is asked.
    kept.begin(environment);
    options.reload();
  } catch (error) {
    tell(isFileFault(error) ? error.message : `The file could not be opened: ${messageOf(error)}`);
  }
}
