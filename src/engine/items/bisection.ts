/**
 * Finding the item that a 400 was about when the answer does not name it: halve the suspects until one stands alone
 * and is refused alone. Only one half is sent; when it is answered, the other holds the offender. What is neither
 * suspect nor cleared waits and goes in one call at the end. One offender among a hundred costs at most nine calls, two
 * cost sixteen; then the rest is given up, so that a service that refuses everything is not asked for ever.
 * Invariant: each item of a bisection is in the half that is sent, a suspect, one of the others, or told its end.
 */
import type { InvError } from "../../domain/errors";
import { type Call, newCall } from "../entry";
import type { CallResult } from "../codec";

/** What stands beside the half that is sent. */
export interface Bisection<E> {
  readonly suspects: readonly E[];
  readonly others: readonly E[];
  /** Calls so far, the one with this half included. */
  readonly calls: number;
  /** What the service said. */
  readonly error: InvError;
}

const extraCalls = 16;

/** What a refusal that names nothing leaves of a bisection, or begins; an item that stands alone is refused by it. */
export function afterRefusal<E>(
  { entries, continuation }: Call<E, Bisection<E>>,
  reason: InvError,
): Bisection<E> {
  const { suspects, others, calls, error } = continuation ?? {
    suspects: [],
    others: [],
    calls: 0,
    error: reason,
  };
  return { suspects: entries.length > 1 ? entries : [], others: [...others, ...suspects], calls, error };
}

/** What was read of a call, with what follows of its bisection: the next half, the end of it, or that it is given up. */
export function goOn<T, E>(
  { isEdit, isPartFilled }: Call<E, Bisection<E>>,
  { suspects, others, calls, error }: Bisection<E>,
  reading: CallResult<T, E, Bisection<E>>,
): CallResult<T, E, Bisection<E>> {
  const left = [...suspects, ...others];
  if (left.length === 0) return reading;
  if (calls === extraCalls) {
    return { ...reading, failed: [...reading.failed, ...left.map((entry) => ({ entry, error }))] };
  }
  // Suspects, halved, before the others; a lone suspect is sent as it is, to be sure of it.
  const entries = left.slice(0, Math.ceil(suspects.length / 2) || left.length);
  const rest = left.slice(entries.length);
  const spared = Math.max(0, suspects.length - entries.length);
  const continuation = {
    suspects: rest.slice(0, spared),
    others: rest.slice(spared),
    calls: calls + 1,
    error,
  };
  return { ...reading, follows: [newCall({ entries, reserved: left, continuation, isEdit, isPartFilled })] };
}
