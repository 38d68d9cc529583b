/**
 * The button that downloads the workbook. While the file is written, it shows the progress and cancels. A file of two moments
 * would be wrong, so the download ends if a cell waits for its value or changes meanwhile.
 */
import { messageOf } from "../../domain/errors";
import { environmentSetting } from "../../workbook/settings";
import type { OpenGrid } from "../open-grid";
import { pageElement } from "./page-element";

interface DownloadParts {
  /** Shows a message; "" clears it. */
  tell(sentence: string): void;
  /** How old the stock is, as the page shows it. */
  age(): string;
}

export function bindDownload(grid: OpenGrid, { tell, age }: DownloadParts): void {
  const button = pageElement("download", HTMLButtonElement);
  const label = button.textContent;
  let running: AbortController | null = null;
  grid.onSavedChange(() =>
    running?.abort(new Error("The workbook changed while the file was written. Download it again.")),
  );

  async function download(signal: AbortSignal): Promise<void> {
    const waiting = grid.waitingCells;
    if (waiting > 0) {
      const cells = waiting === 1 ? "1 cell waits" : `${waiting.toLocaleString()} cells wait`;
      throw new Error(`${cells} for values. Wait until all cells have theirs, then download.`);
    }
    const { saveAsFile } = await import(/* webpackChunkName: "download" */ "../download/save-file");
    const environment = await grid.workbook.setting(environmentSetting);
    const facts = { nowMs: Date.now(), environment, age: age() };
    const onProgress = (part: number): void =>
      void (button.textContent = `Cancel (${Math.round(part * 100)} %)`);
    onProgress(0);
    await saveAsFile(grid.fileBook(), facts, { onProgress, signal });
  }

  button.addEventListener("click", () => {
    if (running !== null) {
      running.abort(new Error("You canceled it."));
      return;
    }
    running = new AbortController();
    download(running.signal)
      .then(
        () => tell(""),
        (error: unknown) => tell(`No file was downloaded. ${messageOf(error)}`),
      )
      .finally(() => {
        running = null;
        button.textContent = label;
      });
  });
}
