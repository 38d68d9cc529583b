/**
 * Finds the item that caused a 400 if the response doesn't name it: halves the suspects until a single item is refused. Only one
 * half is sent. If it is answered, the other half contains the item. Items that are no longer suspects are deferred to one call at
 * the end. One refused item among a hundred costs at most nine calls, two cost sixteen. After sixteen calls the rest fails, so that
 * a service that refuses everything isn't called forever.
 * Invariant: each item of a bisection is in the half that is sent, a suspect, deferred, or settled.
 */
import type { InvError } from "../../domain/errors";
import { type Bisection, type Call, newCall } from "../entry";
import type { CallResult } from "../planner-and-codec";

const extraCalls = 16;

/** Starts or continues a bisection after a refusal that names no item. A single item is at fault itself. */
export function bisectionAfterRefusal<Query, T>(
  { entries, bisection }: Call<Query, T>,
  reason: InvError,
): Bisection<Query, T> {
  const { suspects, deferred, calls, error } = bisection ?? {
    suspects: [],
    deferred: [],
    calls: 0,
    error: reason,
  };
  return { suspects: entries.length > 1 ? entries : [], deferred: [...deferred, ...suspects], calls, error };
}

/** Returns the result of a call with the next step of its bisection: the next half, the rest, or giving up. */
export function withNextStep<Query, T>(
  result: CallResult<Query, T>,
  { suspects, deferred, calls, error }: Bisection<Query, T>,
  { isEdit, isPartFilled }: Call<Query, T>,
): CallResult<Query, T> {
  const rest = [...suspects, ...deferred];
  if (rest.length === 0) return result;
  if (calls === extraCalls) {
    return { ...result, unanswered: [...result.unanswered, ...rest.map((entry) => ({ entry, error }))] };
  }
  // Sends half of the suspects before the deferred items. A single suspect is sent alone, to be sure.
  const entries = rest.slice(0, Math.ceil(suspects.length / 2) || rest.length);
  const firstDeferred = Math.max(entries.length, suspects.length);
  const bisection = {
    suspects: rest.slice(entries.length, firstDeferred),
    deferred: rest.slice(firstDeferred),
    calls: calls + 1,
    error,
  };
  const continuation = newCall({ entries, entriesToSettle: rest, bisection, isEdit, isPartFilled });
  return { ...result, continuation };
}
