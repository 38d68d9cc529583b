/**
 * Offers to open a file: the button, the drop, the question, and the notice afterwards. The code that reads files is a
 * separate chunk, loaded with the first file.
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
  const confirm = (question: string) => window.confirm(question);
  const reload = () => location.reload();
  const from = { button: part("open", HTMLButtonElement), input: part("open-file", HTMLInputElement) };
  bindOpen(from, async (file) => {
    const { openFile } = await import(/* webpackChunkName: "open-file" */ "../open-xlsx/open-file");
    await openFile(file, { grid, book, kept, confirm, tell, reload });
  });
  const notice = {
    notice: part("opened"),
    text: part("opened-text"),
    close: part("opened-close", HTMLButtonElement),
  };
  await showOpenedNotice(notice, grid.workbook);
}
