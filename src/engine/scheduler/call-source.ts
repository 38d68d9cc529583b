/** What the scheduler and the sender need of an operation's batcher. */
import type { Failure } from "../../api/outcomes";
import type { InvError } from "../../domain/errors";
import type { ServiceAnswer } from "../codec";
import type { Call, Stamp } from "../entry";
import type { PartFilled } from "../queue";

/** A canary, what an edit waits for, or anything, part-filled calls as far as they may go. */
export type CallKind = "probe" | "edit" | PartFilled;

export interface CallSource {
  /** The next call of its kind, or null. */
  take(kind: CallKind): Call | null;
  /** It leaves. */
  markSent(call: Call, asked: Stamp): void;
  build(call: Call, accessToken: string, signal: AbortSignal): Request;
  receive(call: Call, response: Response): Promise<ServiceAnswer | Failure>;
  settle(call: Call, answer: ServiceAnswer): void;
  fail(call: Call, error: InvError): void;
  /** Sent again: before the others, or after them when it has failed; anew, as if it had never been taken. */
  resend(call: Call, place: "anew" | "first" | "last"): void;
  /** Fails a call that has not left, unless it has ended meanwhile. */
  giveUp(call: Call, error: InvError): void;
  /** Fails all that waits; `sparing` leaves what a standing fault does not stop. */
  failWaiting(error: InvError, sparing?: "probes"): void;
  endTurn(isEdit: boolean): void;
  /** When a call of this kind may be taken, as far as the lane knows; Infinity where none waits. */
  readyAtMs(kind: CallKind): number;
  isWaiting(): boolean;
  callsWaiting(): number;
}
