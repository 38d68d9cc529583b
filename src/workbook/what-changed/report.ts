/** What a refresh has changed. One unit: INV cells. A cell that fills others lists their values inside its own line. */
import type { CellContent, CellRef } from "../port";

/** INV compares no more values. */
export const mostValues = 200_000;

export interface ValueChange extends CellRef {
  /** The requested store and item; "" if there are several. */
  readonly store: string;
  readonly item: string;
  readonly before: CellContent;
  readonly after: CellContent;
}

export interface ChangedCell {
  readonly cell: CellRef;
  readonly values: readonly [ValueChange, ...ValueChange[]];
  /** The number of values that the cell's formula fills. */
  readonly of: number;
}

export interface ChangeReport {
  readonly atMs: number;
  /** Cells that had a quantity before. The largest difference first. */
  readonly changed: readonly ChangedCell[];
  /** Cells that had no quantity before, and have one now. */
  readonly added: readonly ChangedCell[];
  /** Sheets that were left out because cells moved on them, or they were renamed, during the refresh. */
  readonly movedSheets: readonly string[];
  /** Whether the refresh had more values than `mostValues`, so none was compared. */
  readonly isTooLarge: boolean;
}
