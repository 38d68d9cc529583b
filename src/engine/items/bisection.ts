/**
 * Finds the item that caused a 400 if the response doesn't name it: halves the suspects until a single item is refused. Only one
 * half is sent; if it is answered, the other half contains the item. The other items wait and go in one call at the end. One
 * refused item among a hundred costs at most nine calls, two cost sixteen. After that the rest fails, so that a
 * service that refuses everything isn't called forever.
 * Invariant: each item of a bisection is in the half that is sent, a suspect, one of the others, or settled.
 */
import type { InvError } from "../../domain/errors";
import { type Call, newCall } from "../entry";
import type { CallResult } from "../codec";

/** The state of a bisection, without the half that is sent. */
export interface Bisection<E> {
  readonly suspects: readonly E[];
  readonly others: readonly E[];
  /** Calls so far, including the one with this half. */
  readonly calls: number;
  /** The service's error. */
  readonly error: InvError;
}

const extraCalls = 16;

/** Starts or continues a bisection after a refusal that names no item. A single item is at fault itself. */
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

/** Adds the next step of the bisection to a call's result: the next half, the rest, or giving up. */
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
  // Sends half of the suspects before the others. A single suspect is sent alone, to be sure.
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
