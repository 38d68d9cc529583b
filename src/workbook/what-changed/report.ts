/** What a refresh has changed. One unit: INV cells. A cell that fills others lists their values inside its own line. */
import type { CellContent, CellRef } from "../port";

/** INV compares no more values. Excel sends about 8 MB for this many before and after. */
export const mostValues = 200_000;

export interface ValueChange extends CellRef {
  /** The requested store and item; "" if there are several, or if INV doesn't know. */
  readonly store: string;
  readonly item: string;
  readonly before: CellContent;
  readonly after: CellContent;
  /** Whether the numbers are times, as Excel's serials. */
  readonly isTime: boolean;
}

export interface ChangedCell {
  readonly cell: CellRef;
  readonly values: readonly [ValueChange, ...ValueChange[]];
  /** The number of values that the cell's formula fills; 1 for a table, which is compared as a whole. */
  readonly of: number;
  readonly hadValue: boolean;
}

export interface ChangeReport {
  /** When the results were read. */
  readonly atMs: number;
  /** Cells that had a value before. The largest difference first; changes of texts and times follow in the order of the sheet. */
  readonly changed: readonly ChangedCell[];
  /** Cells that had no value before, and have one now. */
  readonly added: readonly ChangedCell[];
  /** The number of cells that somebody edited, deleted, or moved in a way that INV couldn't follow. */
  readonly notCompared: number;
  /** Whether the refresh had more values than `mostValues`, so none was compared. */
  readonly isTooLarge: boolean;
}
