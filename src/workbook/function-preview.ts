/**
 * The interface to INV's functions without their requests. The add-in passes it in, because this folder doesn't import the
 * functions.
 */
import type { InvError } from "../domain/errors";
import type { Query } from "../domain/records";

/** A function's id is its name without `INV.`. Its arguments are in order; null is an omitted one. */
export interface FunctionPreview {
  /** Returns what the function shows from cached answers. Rejects with the error that its cell would show. */
  show(id: string, given: readonly unknown[]): Promise<unknown[][]>;
  queries(id: string, given: readonly unknown[]): PlaceQueries;
}

interface PlaceQueries {
  readonly rows: number;
  readonly cols: number;
  /** Returns null if nothing is requested there, as for a blank store, and an error if an argument is wrong. */
  at(row: number, col: number): Query | InvError | null;
}
