/**
 * Saves the workbook a moment after it came to rest, and when the page is left. A save that may not be is told
 * once, with the reason.
 */
import type { SavedBook } from "./saved-book";

export interface AutosaveOptions {
  readonly book: SavedBook;
  snapshot(): object;
  /** While cells wait there is nothing worth saving yet. */
  busy(): boolean;
  tell(sentence: string): void;
}

const restMs = 1_000;

/** Returns what is to be called at every change of the workbook. */
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
          "This workbook is open in another tab, which saves it. What you change here is not kept: go on there, or download this one.",
        );
      },
      () => {
        isChanged = true;
        tell("The browser did not save the workbook: its storage is full or closed. Download a copy.");
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
