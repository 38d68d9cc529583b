/**
 * Colours that follow values, as plain data in Excel's terms: a scale, bars, or styles where a formula is true, which is
 * seen from the first cell of its area.
 */
import type { CFValueType } from "@univerjs/preset-sheets-conditional-formatting";
import type { Rectangle } from "../cell-reader";

/** Where on the way from the lowest to the highest value. */
export interface Bound {
  readonly type: `${CFValueType}`;
  readonly value?: number | string;
}

export interface ConditionalStyle {
  readonly bold?: true;
  readonly italic?: true;
  readonly color?: string;
  readonly fill?: string;
}

interface Stop {
  readonly at: Bound;
  readonly color: string;
}

export interface ConditionalFormat {
  readonly areas: readonly Rectangle[];
  readonly rule:
    | { readonly kind: "scale"; readonly stops: readonly Stop[] }
    | { readonly kind: "bars"; readonly from: Bound; readonly to: Bound; readonly color: string }
    | { readonly kind: "formula"; readonly formula: string; readonly style: ConditionalStyle };
}
