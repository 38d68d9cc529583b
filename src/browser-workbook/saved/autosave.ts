/**
 * Saves the workbook a moment after its last change, and when the page is hidden. If saving isn't possible, it shows
 * the reason once.
 */
import type { SavedBook } from "./saved-book";

export interface AutosaveOptions {
  readonly book: SavedBook;
  snapshot(): object;
  /** Whether cells still wait for values; then saving is postponed. */
  busy(): boolean;
  tell(sentence: string): void;
}

const restMs = 1_000;

/** Returns the function to call at every change of the workbook. */
export function createAutosave({ book, snapshot, busy, tell }: AutosaveOptions): () => void {
  let timer: number | null = null;
  let isChanged = false;
  let isOver = false;

  function save(): void {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
    if (!isChanged || isOver) return;
    isChanged = false;
    book.save(snapshot()).then(
      (saved) => {
        if (saved) return;
        isOver = true;
        tell(
          "This workbook is open in another tab, which saves it. Changes in this tab are not kept. Use the other tab, or download this workbook.",
        );
      },
      () => {
        isChanged = true;
        tell(
          "The browser couldn't save the workbook, because its storage is full or blocked. Download a copy.",
        );
      },
    );
  }

  function soon(): void {
    if (timer !== null) window.clearTimeout(timer);
    timer = window.setTimeout(() => (busy() ? soon() : save()), restMs);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  return () => {
    isChanged = true;
    soon();
  };
}
