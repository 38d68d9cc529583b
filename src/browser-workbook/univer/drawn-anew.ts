/**
 * The grid measures the place of every edit on the sheet in view, to draw it anew. While that sheet goes, as with the
 * undo of what made it, there is none in view: the grid would break off with an error, and whoever else listens would
 * not hear of the edit. Here nothing is measured then; the sheet that comes into view is drawn as a whole.
 */
import { SheetRenderController, type SheetSkeletonManagerService } from "@univerjs/preset-sheets-core";

type Measure = (...ranges: unknown[]) => readonly object[];

/** Once for all grids of the page. */
export function measureSheetInView(): void {
  // The grid has no other seam.
  const measure = Reflect.get(SheetRenderController.prototype, "_rangeToBounds") as Measure;
  Reflect.set(
    SheetRenderController.prototype,
    "_rangeToBounds",
    function (this: object, ...given: unknown[]) {
      const sheets = Reflect.get(this, "_sheetSkeletonManagerService") as SheetSkeletonManagerService;
      // It may be missing, which its type does not say.
      return (sheets.getCurrentParam() as unknown) === undefined ? [] : measure.apply(this, given);
    },
  );
}
