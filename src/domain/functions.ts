/**
 * What rooms that read formulas without calculating them know about INV's functions: facts by name, and the interface to their
 * queries. The functions' rules are in `src/functions`; a test compares these facts with the catalogue.
 */
import type { Query } from "./records";

export interface FunctionFacts {
  /** What the function requests; null for a function that requests nothing. */
  readonly asks: "item" | "history" | null;
  /** Where its result contains quantities: everywhere, or in this column of its table. */
  readonly quantities?: "everywhere" | number;
  /** Where its result contains times: everywhere, or in this column of its table. */
  readonly times?: "everywhere" | number;
  /** If its filter finds nothing, it reads the item's whole history, to tell 0 from an item without data. */
  readonly mayReadWhole?: true;
  /** Its result is a table whose number of rows changes. */
  readonly isTable?: true;
}

/** A reference of this many rows or more means the whole column, up to its last entry. */
export const wholeColumnRows = 65_536;

/** By name in capitals, without `INV.`. */
export const functionFacts: Readonly<Record<string, FunctionFacts>> = {
  QTY: { asks: "item", quantities: "everywhere" },
  STOCK: { asks: "item", quantities: 2, times: 3, isTable: true },
  CID: { asks: "item", isTable: true },
  UPDATED: { asks: "item", times: "everywhere" },
  ASOF: { asks: "item", times: "everywhere" },
  STATUS: { asks: "item" },
  EVENTS: { asks: "history", times: 0, isTable: true },
  EVENTQTY: { asks: "history", quantities: "everywhere", mayReadWhole: true },
  LASTEVENT: { asks: "history", times: "everywhere" },
  EVENTTYPES: { asks: null, isTable: true },
  ENV: { asks: null },
};

/** What a formula would request at each place of its result. */
export interface FormulaQueries {
  readonly rows: number;
  readonly cols: number;
  /** Returns null if nothing is requested there, as for a blank store, and `refused` for a wrong argument. */
  at(row: number, col: number): Query | null | "refused";
}

/** INV's functions without their requests. The add-in passes it to the rooms that don't import the functions. */
export interface FunctionPreview {
  /**
   * A function's id is its name without `INV.`. Its arguments are in order; null is an omitted one. Returns null before the add-in has
   * started its functions: nobody can tell then what they would ask for.
   */
  queries(id: string, given: readonly unknown[]): FormulaQueries | null;
}
