/**
 * A copy from another program before it reaches cells: rows of values and formulas with their number formats. Readers
 * of clipboard formats create it, and the grid writes it. Plain data, independent of DOM and grid.
 */

export interface PastedCell {
  /** Null is a blank cell: pasting it clears the target, as in Excel. */
  readonly value: string | number | boolean | null;
  /** The formula with its `=`, used instead of the value. `r1c1` references are relative to the target cell. */
  readonly formula?: { readonly text: string; readonly notation: "a1" | "r1c1" };
  /** Excel's code, such as `#,##0.00`; null for General; absent if the copy doesn't name a format. */
  readonly numberFormat?: string | null;
  /** The copy contains only what the cell showed (####, 1.23E+13), which doesn't tell the value. */
  readonly isCutOff?: boolean;
}

export interface PastedTable {
  /** In order. Rows shorter than the longest end in blank cells. Can be iterated only once; read in slices. */
  readonly rows: Iterable<readonly PastedCell[]>;
}

export const blankCell: PastedCell = { value: null };
