/**
 * What was copied elsewhere, before it reaches cells: rows of values and formulas with their number formats.
 * Readers of clipboard formats make it, the grid writes it. Plain data, no DOM, no grid.
 */

export interface PastedCell {
  /** Null is a blank cell: it empties its target, as in Excel. */
  readonly value: string | number | boolean | null;
  /** The formula in place of the value, `=` included; `r1c1` counts from the cell it lands in. */
  readonly formula?: { readonly text: string; readonly notation: "a1" | "r1c1" };
  /** Excel's code, such as `#,##0.00`; null for General; absent where the copy says nothing of it. */
  readonly numberFormat?: string | null;
  /** The copy holds what the cell showed (####, 1.23E+13), and its value cannot be told from that. */
  readonly isCutOff?: boolean;
}

export interface PastedTable {
  /** Rows in order; shorter rows end in blank cells. May be read once, and is read in slices. */
  readonly rows: Iterable<readonly PastedCell[]>;
}

export const blankCell: PastedCell = { value: null };
