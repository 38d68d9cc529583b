/**
 * What the INV formulas calculated in this session asked for and how it ended, by cell address. The
 * functions write it; the refresh reads from it what a scope will cost, the pane which cells are stale,
 * failed, or still show another environment. It holds what was seen only: a formula Excel has not
 * calculated in this session is not in it.
 */
import type { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery } from "../domain/records";

export type CellState = "waiting" | "value" | "stale" | "problem";

/** One INV formula cell. A range formula asks for many items; a formula may hold several INV calls. */
export interface CellUse {
  /** As the host spells it: `Sheet1!A1`, `'My sheet'!A1`. */
  readonly address: string;
  readonly items: readonly ItemQuery[];
  readonly histories: readonly HistoryQuery[];
  /** Id of the environment it was last calculated in. */
  readonly environmentId: string | null;
  readonly state: CellState;
  /** The first problem of the cell, for state `problem` and `stale`. */
  readonly error: InvError | null;
  /** Fetch times of the values it shows; null while there is none. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
}

export interface CellSummary {
  readonly cells: number;
  readonly waiting: number;
  readonly stale: number;
  readonly problems: number;
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
}

/** One calculation of one INV function in a cell, reported by the function itself. */
export interface CellCall {
  item(query: ItemQuery): void;
  history(query: HistoryQuery): void;
  /** A value came; `staleBecause` when it is the last known one. */
  answered(fetchedAtMs: number, staleBecause?: InvError): void;
  failed(error: InvError): void;
  /** The call is over; nothing more is reported. */
  settled(): void;
}

export interface CellRegister {
  /** A function begins to calculate. Without an address (the host told none) nothing is kept. */
  begin(address: string | null, environmentId: string | null): CellCall;
  get(address: string): CellUse | undefined;
  all(): Iterable<CellUse>;
  /** Cells last calculated in another environment than this. */
  ofOtherEnvironments(environmentId: string): readonly string[];
  summary(): CellSummary;
  /** Told after changes, not more than about ten times a second. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}
