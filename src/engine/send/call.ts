/**
 * A call as the scheduler sees it: something that may be sent, may come back refused, and must end. What
 * it carries (a group's items, a page of a history) is known to the queue it came from.
 * Invariant: every call taken from a queue ends in exactly one of `settle` of its answer, `putBack` or `fail`.
 */
import type { CallOptions } from "../../api/call-options";
import type { Failure } from "../../api/outcomes";
import type { InvError } from "../../domain/errors";
import type { Asked } from "../entry";
import type { PartFilled } from "../items/group-queues";

export interface Call {
  readonly isEdit: boolean;
  /** More of its store may have been under way when it left. */
  readonly isPartFilled: boolean;
  readonly retry: RetryState;
  /** It leaves now. */
  sent(asked: Asked): void;
  /**
   * It waits to be sent, for the first time or again, in whatever epoch that will be. Null when a refresh has
   * overtaken it: its items wait with those of the refresh, so that none is asked for twice.
   */
  waits(): Call | null;
  build(options: CallOptions): Request;
  /** Never rejects. */
  read(response: Response): Promise<Failure | Answered>;
  /**
   * Not sent, or refused for a reason that is nobody's fault: its items wait again as if never taken.
   * Returns the call itself where it has to stay as it is.
   */
  putBack(): Call | null;
  /** Not answered: each of its cells ends with its last known value or this reason. */
  fail(error: InvError): void;
}

/** The service answered, be it with a no. */
export interface Answered {
  readonly kind: "answered";
  /** Settles the cells; returns the call that has to follow, if any. */
  settle(): Call | null;
}

/** What a call has been through. */
export interface RetryState {
  attempts: number;
  firstSentAtMs: number | null;
  notBeforeMs: number;
  /** Its token was refused once and has been renewed. */
  isRenewed: boolean;
}

/** Where calls of one operation come from. */
export interface CallQueue {
  /** The call of a group that an edit waits for, or null. */
  takeEdit(): Call | null;
  take(partFilled: PartFilled): Call | null;
  /** Ends all that waits in the queue. */
  failAll(error: InvError): void;
  /** Whether anything waits in the queue. */
  isWaiting(): boolean;
  /** Calls that what waits in the queue will cost, as far as known. */
  callsWaiting(): number;
}

export function newRetryState(): RetryState {
  return { attempts: 0, firstSentAtMs: null, notBeforeMs: 0, isRenewed: false };
}
