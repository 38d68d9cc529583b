/**
 * What the functions calculate with, given once by whoever puts the add-in together. Excel calculates
 * while the add-in is still starting, so calls that come first wait here, and all begin in the order they
 * came when the session opens. From then on nothing is awaited before the engine is asked, but what is more
 * than a turn bears is begun in later ones (`time-slices`). Invariant: a call never waits for a start that has failed.
 */
import { toInvError, type InvError } from "../domain/errors";
import type { CellRegister } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import type { Outlet } from "./outlet";
import type { Taker } from "./present";
import type { TimeSlices } from "./time-slices";

export interface FunctionSession extends Taker {
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly timeSlices: TimeSlices;
  readonly outlet: Outlet;
  /** Event codes that answers held, documented or not. */
  readonly eventTypesSeen: Set<string>;
  /** By the service's clock, which tells the dates that it keeps: milliseconds since 1970, UTC. */
  now(): number;
  /** The environment this workbook uses; null while none is chosen. */
  environmentId(): string | null;
}

/** A call that came before the session. */
export interface EarlyCall {
  begin(session: FunctionSession): void;
  refuse(failure: FailedSession): void;
}

/** Why there is no session, and who is told so. */
export interface FailedSession extends Taker {
  readonly error: InvError;
}

let current: FunctionSession | null = null;
let failure: FailedSession | null = null;
let waiting: EarlyCall[] = [];

/** Opens the session: what waited begins, in its order. A later session replaces an earlier one. */
export function openSession(session: FunctionSession): void {
  current = session;
  failure = null;
  const first = waiting;
  waiting = [];
  for (const call of first) call.begin(session);
}

/** The add-in could not start: what waits, and what comes until a session opens, gets this reason. */
export function failSession(reason: unknown, clock: Pick<Clock, "steadyNow">): void {
  current = null;
  failure = { error: toInvError(reason), formatsTimes: false, steadyNow: () => clock.steadyNow() };
  const first = waiting;
  waiting = [];
  for (const call of first) call.refuse(failure);
}

/** The session, where a call would begin at once. */
export function openedSession(): FunctionSession | null {
  return current;
}

/** Begins the call with the session, at once or when it opens; or refuses it with the reason why it never will. */
export function whenOpened(call: EarlyCall): void {
  if (failure !== null) call.refuse(failure);
  else if (current !== null) call.begin(current);
  else waiting.push(call);
}
