/**
 * The grid measures the heights of rows out of view later, when the page is idle. For a sheet that was deleted by then it
 * would break off in the middle and measure none of any sheet afterwards; here nothing is measured for that sheet.
 */
import { SpreadsheetSkeleton } from "@univerjs/preset-sheets-core";

type Measure = SpreadsheetSkeleton["calculateAutoHeightInRange"];

/** Once for all grids of the page. */
export function measureStandingSheets(): void {
  const drawing = SpreadsheetSkeleton.prototype;
  const measure = drawing.calculateAutoHeightInRange;
  drawing.calculateAutoHeightInRange = function (this: SpreadsheetSkeleton, ...given: Parameters<Measure>) {
    return isDeleted(this) ? [] : measure.apply(this, given);
  };
}

/** A skeleton lets its sheet go when that is deleted, which its type does not say. */
function isDeleted({ worksheet }: { readonly worksheet: unknown }): boolean {
  return worksheet === null;
}
