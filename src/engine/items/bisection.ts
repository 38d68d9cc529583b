/**
 * Finding the item that a 400 was about when the answer does not name it: halve the suspects until one stands alone
 * and is refused alone. Only one half is sent; when it is answered, the other holds the offender. What is neither
 * suspect nor cleared waits and goes in one call at the end. One offender among a hundred costs at most nine calls, two
 * cost sixteen; then the rest is given up, so that a service that refuses everything is not asked for ever.
 * Invariant: each item of a bisection is in the half that is sent, a suspect, one of the others, or told its end.
 */
import type { InvError } from "../../domain/errors";
import type { ItemEntry } from "./item-index";

/** What stands beside the half that is sent. */
export interface Bisection {
  readonly suspects: readonly ItemEntry[];
  readonly others: readonly ItemEntry[];
  /** Calls so far, the one with this half included. */
  readonly calls: number;
  /** What the service said. */
  readonly error: InvError;
}

/** What follows from one answer. */
export interface Step {
  /** Refused alone. */
  readonly blamed: readonly ItemEntry[];
  readonly givenUp: readonly ItemEntry[];
  /** None where the bisection is over. */
  readonly halves: readonly { readonly half: readonly ItemEntry[]; readonly bisection: Bisection }[];
  /** The reason of those that end. */
  readonly error: InvError;
}

const extraCalls = 16;

/** `refused` is what a 400 without a name was about. */
export function beginBisection(refused: readonly ItemEntry[], error: InvError): Step {
  if (refused.length === 1) return { blamed: refused, givenUp: [], halves: [], error };
  return step({ suspects: refused, others: [], calls: 0, error }, []);
}

/** The half was answered, so that the other one holds the offender. */
export function halfAnswered(bisection: Bisection): Step {
  return step(bisection, []);
}

export function halfRefused(half: readonly ItemEntry[], bisection: Bisection): Step {
  const others = [...bisection.others, ...bisection.suspects];
  if (half.length === 1) return step({ ...bisection, suspects: [], others }, half);
  return step({ ...bisection, suspects: half, others }, []);
}

function step({ suspects, others, calls, error }: Bisection, blamed: readonly ItemEntry[]): Step {
  const left = [...suspects, ...others];
  if (left.length === 0) return { blamed, givenUp: [], halves: [], error };
  if (calls === extraCalls) return { blamed, givenUp: left, halves: [], error };
  // Suspects, halved, before the others; a lone suspect is sent as it is, to be sure of it.
  const taken = Math.ceil(suspects.length / 2);
  const next =
    taken > 0
      ? { half: suspects.slice(0, taken), suspects: suspects.slice(taken), others }
      : { half: others, suspects: [], others: [] };
  const { half, ...beside } = next;
  const halves = [{ half, bisection: { ...beside, calls: calls + 1, error } }];
  return { blamed, givenUp: [], halves, error };
}
