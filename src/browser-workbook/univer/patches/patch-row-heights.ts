/**
 * `SpreadsheetSkeleton.calculateAutoHeightInRange`. The grid measures rows out of view when the page is idle. If
 * the sheet was deleted by then, it fails and measures no sheet any more. Here it skips that sheet.
 */
import { SpreadsheetSkeleton } from "@univerjs/preset-sheets-core";
import { replaceMember } from "./replace-member";

type Measure = SpreadsheetSkeleton["calculateAutoHeightInRange"];

/** Applies to all grids of the page. */
export function patchRowHeights(): void {
  const name = { of: "SpreadsheetSkeleton", member: "calculateAutoHeightInRange" } as const;
  replaceMember(
    SpreadsheetSkeleton.prototype,
    name,
    (measure) =>
      function (this: SpreadsheetSkeleton, ...args: Parameters<Measure>) {
        return isDeleted(this) ? [] : measure.apply(this, args);
      },
  );
}

/** The grid sets a deleted sheet's skeleton to null, which its type doesn't say. */
function isDeleted({ worksheet }: { readonly worksheet: unknown }): boolean {
  return worksheet === null;
}
