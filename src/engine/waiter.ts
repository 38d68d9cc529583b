/**
 * Who waits for an answer, and how a wait ends. A record of its own per cell and no promise, since sheets make
 * 100,000 of them at once: those who wait for the same stand in line, each with the one behind it.
 */
import type { InvError } from "../domain/errors";
import type { Answer } from "./types";

/** The answer, or why there is none. */
export type Outcome<T> = Answer<T> | InvError;

export interface Waiter<T> {
  /** The engine's, while it waits: who stands behind it. */
  next: Waiter<T> | null;
  /** Told once, in a later turn than the one in which it asked. It must not throw. */
  ended(outcome: Outcome<T>): void;
}

/** Whether the service answered, its "no" included. */
export function isAnswered<T>(outcome: Outcome<T>): outcome is Answer<T> {
  return "found" in outcome;
}
