/** A lane as others see it: cells and refreshes, who ask; and those who send its calls. */
import type { CallOptions } from "../api/headers";
import type { Failure } from "../api/outcomes";
import type { InvError } from "../domain/errors";
import type { Outcome, Waiter } from "./answer";
import type { Asked, Call } from "./call";
import type { Canary } from "./canary";
import type { Clock } from "./clock";
import type { Known } from "./entry";
import type { PartFilled } from "./group-queues";
import type { ProgressBoard } from "./progress";
import type { Arrivals } from "./send/arrivals";
import type { Settler } from "./settler";
import type { Sheets } from "./sheets";
import type { EngineSettings } from "./types";

/** For cells and refreshes. */
export interface Lane<Query, T> extends CallLane {
  /** The outcome, where it is known and this turn has room; else null, and the waiter is told. */
  ask(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null;
  /** From now on only answers of this epoch are fresh; what has none waits for a call, cells or no cells. */
  refresh(queries: readonly Query[], epoch: number): void;
  known(query: Query): Known<T> | null;
  isFresh(query: Query): boolean;
  /** What a changed setting has made fresh while it waited needs no call. */
  giveFresh(): void;
  /** Puts the first call of these queries before all others, whatever is known of them. */
  sendCanary(queries: readonly Query[], canary: Canary): Call;
  reorder(): void;
  clear(): void;
}

/** For those who send. */
export interface CallLane {
  /** The next call of its kind, or null. */
  take(kind: CallKind): Call | null;
  /** It leaves. */
  left(call: Call, asked: Asked): void;
  build(call: Call, options: CallOptions): Request;
  receive(call: Call, response: Response): Promise<ServiceAnswer | Failure>;
  settle(call: Call, answer: ServiceAnswer): void;
  fail(call: Call, error: InvError): void;
  /** Sent again: before the others, or after them when it has failed. */
  sendAgain(call: Call, place: "first" | "last"): void;
  /** As if never taken. */
  putBack(call: Call): void;
  /** Fails a call that has not left, unless it has ended meanwhile. */
  giveUp(call: Call, error: InvError): void;
  /** Fails all that waits; `sparing` leaves what a standing fault does not stop. */
  failWaiting(error: InvError, sparing?: "canaries"): void;
  endTurn(isEdit: boolean): void;
  /** When a call of this kind may be taken, as far as the lane knows; Infinity where none waits. */
  readyAtMs(kind: CallKind): number;
  isWaiting(): boolean;
  callsWaiting(): number;
}

/** A canary, what an edit waits for, or anything, part-filled calls as far as they may go. */
export type CallKind = "canary" | "edit" | PartFilled;

/** What the service said, as a wire understands it. */
export interface ServiceAnswer {
  readonly kind: string;
}

export interface LaneTools {
  readonly clock: Clock;
  readonly settings: () => EngineSettings;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly sheets: Sheets;
  readonly arrivals: Arrivals;
  /** Something waits. */
  readonly wake: () => void;
}
