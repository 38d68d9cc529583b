/**
 * Finding the value that a 400 was about when the answer does not name it: halve the suspects until one
 * stands alone and is refused alone. Only one half is sent; when it is answered, the other holds the
 * offender. What is neither suspect nor cleared waits and goes in one call at the end. One offender among
 * a hundred costs at most nine calls, two cost sixteen; then the rest is given up, so that a service that
 * refuses everything is not asked for ever.
 * Invariant: each item of the bisection is in the half under way, a suspect, or among the others.
 */
import type { InvError } from "../../domain/errors";
import type { Carrier } from "../entry";
import type { Batch, ItemEntry } from "./groups";

/** Carries what is not in the call under way. */
export interface Bisection extends Carrier<ItemEntry> {
  /** What to do after the last call was refused or answered (null: the bisection begins). */
  next(wasRefused: boolean | null): Step;
  /** All that is not in the call under way; the bisection is over then. */
  rest(): Batch;
}

interface Step {
  readonly send: Batch | null;
  /** Refused alone. */
  readonly blamed: Batch | null;
  readonly givenUp: Batch | null;
  readonly error: InvError;
}

const extraCalls = 16;

/** `refused` is the batch that a 400 without a name was about. */
export function beginBisection(refused: Batch, error: InvError): Bisection {
  let suspects: Batch = refused;
  let others: Batch = slice(refused, 0, 0);
  /** The half under way, while its outcome says something about `suspects`. */
  let half: Batch = others;
  let calls = 0;

  function next(wasRefused: boolean | null): Step {
    let blamed: Batch | null = null;
    if (wasRefused === true && half.entries.length === 1) {
      blamed = half;
      others = join(others, suspects);
      suspects = slice(half, 0, 0);
    } else if (wasRefused === true) {
      others = join(others, suspects);
      suspects = half;
    }
    half = slice(half, 0, 0);
    if (wasRefused === null && suspects.entries.length === 1) {
      return { send: null, blamed: suspects, givenUp: null, error };
    }
    return step(blamed);
  }

  function step(blamed: Batch | null): Step {
    if (calls === extraCalls) {
      const left = rest();
      return { send: null, blamed, givenUp: left.entries.length === 0 ? null : left, error };
    }
    const send = choose();
    if (send !== null) calls += 1;
    return { send, blamed, givenUp: null, error };
  }

  /** Suspects, halved, before the others; a lone suspect is sent as it is, to be sure of it. */
  function choose(): Batch | null {
    const fromSuspects = suspects.entries.length > 0;
    const source = fromSuspects ? suspects : others;
    const count = source.entries.length;
    if (count === 0) return null;
    const taken = fromSuspects ? Math.ceil(count / 2) : count;
    half = slice(source, 0, taken);
    if (fromSuspects) suspects = slice(source, taken, count);
    else others = slice(source, count, count);
    return half;
  }

  function rest(): Batch {
    const left = join(suspects, others);
    suspects = others = slice(left, 0, 0);
    return left;
  }

  const holds = (entry: ItemEntry): boolean =>
    suspects.entries.includes(entry) || others.entries.includes(entry);

  return { asked: null, holds, next, rest };
}

function slice({ group, entries }: Batch, from: number, to: number): Batch {
  return { group, entries: entries.slice(from, to) };
}

function join(first: Batch, second: Batch): Batch {
  return { group: first.group, entries: [...first.entries, ...second.entries] };
}
