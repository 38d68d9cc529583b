/** What the queues of items and of histories have in common: what cells and refreshes ask of them, and what they need. */
import type { Clock } from "./clock";
import type { ProgressBoard } from "./progress";
import type { Arrivals } from "./send/arrivals";
import type { CallQueue } from "./send/call";
import type { Settler } from "./settler";
import type { Sheets } from "./sheets";
import type { Outcome, Waiter } from "./answer";

export interface QueryQueue<Query, T> extends CallQueue {
  /** The outcome, where it is known and this turn has room; else null, and the waiter is told. */
  ask(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null;
  /** The turn is over; when its requests were an edit, they go first. */
  endTurn(isEdit: boolean): void;
  /** From now on only answers of this epoch are fresh; what has none is put in the queue, cells or no cells. */
  refresh(queries: readonly Query[], epoch: number): void;
}

export interface QueryQueueOptions {
  readonly steady: Clock;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly sheets: Sheets;
  readonly arrivals: Arrivals;
  /** Something joined a queue. */
  readonly wake: () => void;
}
