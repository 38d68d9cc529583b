/** Follows new sheets until one of them is gone: deleted, renamed, or taken back with Ctrl+Z. What INV says of them ends then. */
import type { Workbook } from "./port";

/** Returns a function that calls its listener when the workbook no longer has these sheets, and returns the unsubscribe function. */
export function whenGone(
  workbook: Pick<Workbook, "onEdit" | "sheets">,
  names: readonly string[],
): (listener: () => void) => () => void {
  return (listener) =>
    workbook.onEdit((edit) => {
      // Edits of cells are no sheet's end.
      if (edit !== null && !("from" in edit)) return;
      workbook.sheets().then(
        (sheets) => {
          if (!names.every((name) => sheets.some((sheet) => sheet.name === name))) listener();
        },
        // Excel is busy: the text stays until the next edit.
        () => undefined,
      );
    });
}
