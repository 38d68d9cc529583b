/**
 * Asks before a file takes the place of the open workbook: what it holds, what of it is not shown here, and a download
 * of what would be gone. A dialog of the browser: it keeps the keyboard, and Escape is no.
 */
import { leftLines } from "../shell/left-lines";

export interface OpenQuestion {
  readonly fileName: string;
  readonly sheets: readonly string[];
  readonly formulas: number;
  /** What is not shown, in words. */
  readonly left: readonly string[];
}

export interface AskParts {
  readonly dialog: HTMLDialogElement;
  readonly title: HTMLElement;
  readonly summary: HTMLElement;
  readonly left: HTMLElement;
  readonly download: HTMLButtonElement;
  readonly open: HTMLButtonElement;
  readonly cancel: HTMLButtonElement;
}

/** True for yes. @param download gives the open workbook to the person */
export function ask(parts: AskParts, question: OpenQuestion, download: () => void): Promise<boolean> {
  const { dialog } = parts;
  const { fileName, sheets, formulas, left } = question;
  parts.title.textContent = `Open ${fileName}?`;
  const named = sheets.slice(0, 5).join(", ") + (sheets.length > 5 ? ", …" : "");
  const counted = `${sheets.length} ${sheets.length === 1 ? "sheet" : "sheets"} (${named})`;
  const held = `${formulas.toLocaleString("en")} ${formulas === 1 ? "formula" : "formulas"}`;
  parts.summary.textContent = `It has ${counted} and ${held}. It takes the place of the workbook that is open here.`;
  parts.left.replaceChildren(...leftLines(left));
  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    let isYes = false;
    parts.open.addEventListener(
      "click",
      () => {
        isYes = true;
        dialog.close();
      },
      { signal },
    );
    parts.cancel.addEventListener("click", () => dialog.close(), { signal });
    parts.download.addEventListener("click", download, { signal });
    dialog.addEventListener(
      "close",
      () => {
        listening.abort();
        resolve(isYes);
      },
      { signal },
    );
    dialog.showModal();
    parts.cancel.focus();
  });
}
