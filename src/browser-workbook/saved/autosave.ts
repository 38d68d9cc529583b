/**
 * Saves the workbook a moment after its last change, and when the page is hidden. While cells wait for values or changes
 * follow each other, it saves every few seconds, because the person may close the page. If saving isn't possible, it shows
 * the reason.
 */
import type { SavedBook } from "./saved-book";

const restMs = 1_000;
const maxUnsavedMs = 5_000;

/** Returns the function to call at every change of the workbook. */
export function createAutosave({
  book,
  snapshot,
  busy,
  tell,
}: {
  readonly book: SavedBook;
  snapshot(): object;
  /** Whether cells still wait for values. */
  busy(): boolean;
  /** Shows a message until the next one; "" clears it. */
  tell(sentence: string): void;
}): () => void {
  let timer: number | null = null;
  /** When the first change since the last save was made; null if everything is saved. */
  let unsavedSinceMs: number | null = null;
  let isOver = false;
  let hasFailed = false;

  function save(): void {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
    if (unsavedSinceMs === null || isOver) return;
    unsavedSinceMs = null;
    book.save(snapshot()).then(
      (saved) => {
        if (saved && hasFailed) tell("");
        hasFailed = false;
        if (saved) return;
        isOver = true;
        tell(
          "This workbook is open in another tab, which saves it. Changes in this tab are not kept. Use the other tab, or download this workbook.",
        );
      },
      () => {
        unsavedSinceMs ??= performance.now();
        hasFailed = true;
        tell(
          "The browser couldn't save the workbook, because its storage is full or blocked. Download a copy.",
        );
      },
    );
  }

  function saveSoon(): void {
    if (timer !== null) window.clearTimeout(timer);
    const isOverdue = performance.now() - (unsavedSinceMs ?? Infinity) >= maxUnsavedMs;
    timer = window.setTimeout(() => (busy() && !isOverdue ? saveSoon() : save()), isOverdue ? 0 : restMs);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  return () => {
    unsavedSinceMs ??= performance.now();
    saveSoon();
  };
}
