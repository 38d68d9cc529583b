/**
 * Refreshing a part of the workbook: what it will cost, then ask, mark exactly the INV cells dirty and
 * follow them to the end. Knows cells and work; calls, quota and epochs are the engine's.
 * Invariant: no cell is marked before the engine had one successful call for this refresh.
 */
import type { InvError } from "../domain/errors";
import type { Price, Work } from "../engine/types";

/** `older`: the cells whose values are older than the freshness time. */
export type RefreshScope = "selection" | "sheet" | "workbook" | "older";

export interface Quote {
  readonly scope: RefreshScope;
  /** INV formula cells in the scope. */
  readonly cells: number;
  /** Those of them that Excel has not calculated in this session: not in the price. */
  readonly unseen: number;
  readonly work: Work;
  readonly price: Price;
}

export interface RefreshState {
  readonly phase: "idle" | "finding" | "asking" | "running" | "cancelled" | "failed" | "done";
  readonly scope: RefreshScope | null;
  /** Cells of this refresh, and those of them that have settled. */
  readonly cells: number;
  readonly settled: number;
  /** Why it failed; nothing was marked dirty then. */
  readonly error: InvError | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

export interface Refresher {
  quote(scope: RefreshScope): Promise<Quote>;
  /** Resolves when the refresh has ended in any way; look at the state. Ignored while one runs. */
  start(scope: RefreshScope): Promise<void>;
  /** What has come stays. */
  cancel(): void;
  /** After a cancel or a failure in the middle: asks only for the rest. */
  resume(): Promise<void>;
  readonly state: RefreshState;
  subscribe(listener: () => void): () => void;
}
