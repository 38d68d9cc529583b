/**
 * `SpreadsheetSkeleton.calculateAutoHeightInRange`. The grid measures the heights of rows out of view later, when the page
 * is idle. At a sheet that was deleted by then it would fail, and measure no sheet afterwards; here it skips that sheet.
 */
import { SpreadsheetSkeleton } from "@univerjs/preset-sheets-core";
import { replaceMember } from "./replace-member";

type Measure = SpreadsheetSkeleton["calculateAutoHeightInRange"];

/** Once for all grids of the page. */
export function patchRowHeights(): void {
  const name = { of: "SpreadsheetSkeleton", member: "calculateAutoHeightInRange" } as const;
  replaceMember(
    SpreadsheetSkeleton.prototype,
    name,
    (measure) =>
      function (this: SpreadsheetSkeleton, ...given: Parameters<Measure>) {
        return isDeleted(this) ? [] : measure.apply(this, given);
      },
  );
}

/** A skeleton lets its sheet go when that is deleted, which its type does not say. */
function isDeleted({ worksheet }: { readonly worksheet: unknown }): boolean {
  return worksheet === null;
}
