/**
 * Lets a person open a file, by the button or by dropping it anywhere on the page. The code that reads files is a
 * separate chunk, loaded with the first file.
 */
import type { SavedBook } from "../saved/saved-book";
import { pageElement } from "./page-element";

export function bindOpen(book: SavedBook, tell: (sentence: string) => void): void {
  const button = pageElement("open", HTMLButtonElement);
  const input = pageElement("open-file", HTMLInputElement);
  button.hidden = false;

  async function open(file: File): Promise<void> {
    const { openFile } = await import(/* webpackChunkName: "open-file" */ "../open-xlsx/open-file");
    await openFile(file, { book, tell });
  }

  function take(file: File | undefined): void {
    if (file === undefined || button.disabled) return;
    button.disabled = true;
    void open(file).finally(() => {
      button.disabled = false;
      button.focus();
    });
  }

  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    take(input.files?.[0]);
    // Allow the same file to be chosen again.
    input.value = "";
  });
  // Capture the event before the grid gets it and before the browser replaces the page with the file.
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  for (const kind of ["dragenter", "dragover"] as const) {
    window.addEventListener(kind, (event) => hasFiles(event) && event.preventDefault(), { capture: true });
  }
  window.addEventListener(
    "drop",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      take(event.dataTransfer?.files[0]);
    },
    { capture: true },
  );
}
