/**
 * Opening a file, as the page offers it: the button and the drop, the dialog, and what is told afterwards. What reads
 * files is a chunk of its own, loaded with the first file.
 */
import type { OpenGrid } from "../open-grid";
import type { KeptSettings } from "../saved/kept-settings";
import type { SavedBook } from "../saved/saved-book";
import { bindOpen } from "./open-button";
import { showOpenedNotice } from "./opened-notice";
import { part } from "./part";

export interface OfferOpenOptions {
  readonly grid: OpenGrid;
  readonly book: SavedBook;
  readonly kept: KeptSettings;
  tell(sentence: string): void;
}

export async function offerOpen({ grid, book, kept, tell }: OfferOpenOptions): Promise<void> {
  const parts = {
    dialog: part("opening", HTMLDialogElement),
    title: part("opening-title"),
    summary: part("opening-summary"),
    left: part("opening-left"),
    download: part("opening-download", HTMLButtonElement),
    open: part("opening-open", HTMLButtonElement),
    cancel: part("opening-cancel", HTMLButtonElement),
  };
  const download = () => part("download", HTMLButtonElement).click();
  const reload = () => location.reload();
  const from = { button: part("open", HTMLButtonElement), input: part("open-file", HTMLInputElement) };
  bindOpen(from, async (file) => {
    const { openFile } = await import(/* webpackChunkName: "open-file" */ "../open-xlsx/open-file");
    await openFile(file, { grid, book, kept, parts, download, tell, reload });
  });
  const notice = {
    notice: part("opened"),
    text: part("opened-text"),
    close: part("opened-close", HTMLButtonElement),
  };
  await showOpenedNotice(notice, grid.workbook);
}
