/**
 * The interface to INV's functions without their requests. The add-in passes it in, because this folder doesn't import the
 * functions.
 */
import type { Query } from "../domain/records";

/** A function's id is its name without `INV.`. Its arguments are in order; null is an omitted one. */
export interface FunctionPreview {
  queries(id: string, given: readonly unknown[]): PlaceQueries;
}

interface PlaceQueries {
  readonly rows: number;
  readonly cols: number;
  /** Returns null if nothing is requested there, as for a blank store or a wrong argument. */
  at(row: number, col: number): Query | null;
}
