/**
 * The session that functions work in, and when their calls begin in it. It is given once by whoever puts the add-in
 * together. Excel calculates while the add-in is still starting, so calls that come first wait here, and all begin in
 * the order they came when the session opens. Excel also hands over a whole recalculation in one message, 40,000 calls
 * and more, and runs them in one turn of the event loop: calls begin in that turn while it is young, the rest in turns
 * of their own, so that the pane and Excel's own messages come between. A cell that a person types comes alone and
 * never waits. Invariant: calls begin in the order they came, each begins, and none waits for a start that has failed.
 */
import { toInvError, type InvError } from "../domain/errors";
import type { CellRegister } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import type { Outlet } from "./outlet";
import type { Taker } from "./present";

export interface FunctionSession extends Taker {
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly timeSlices: TimeSlices;
  readonly outlet: Outlet;
  /** Whether the host shows a card for a number that brings one. */
  readonly showsCards: boolean;
  /** Event codes that answers held, documented or not. */
  readonly eventTypesSeen: Set<string>;
  /** By the service's clock, which tells the dates that it keeps: milliseconds since 1970, UTC. */
  now(): number;
  /** The environment this workbook uses; null while none is chosen. */
  environmentId(): string | null;
}

/** A call that came before the session. */
export interface EarlyCall {
  opened(session: FunctionSession): void;
  failed(failure: FailedSession): void;
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
  for (const call of first) call.opened(session);
}

/** The add-in could not start: what waits, and what comes until a session opens, gets this reason. */
export function failSession(reason: unknown, clock: Pick<Clock, "steadyNow">): void {
  current = null;
  failure = { error: toInvError(reason), formatsTimes: false, steadyNow: () => clock.steadyNow() };
  const first = waiting;
  waiting = [];
  for (const call of first) call.failed(failure);
}

/** The session, where a call would begin at once. */
export function openedSession(): FunctionSession | null {
  return current;
}

/** Begins the call with the session, at once or when it opens; or refuses it with the reason why it never will. */
export function whenOpened(call: EarlyCall): void {
  if (failure !== null) call.failed(failure);
  else if (current !== null) call.opened(current);
  else waiting.push(call);
}

export interface TimeSlices {
  /** Begins the call at once, if the turn is young and none that came before waits; else in a later turn. */
  begin(call: LateCall): void;
  /** Begins all that was put off, now. */
  catchUp(): void;
  /** Resolves when nothing is put off. */
  caughtUp(): Promise<void>;
}

/** What begins in its turn; it must not throw. */
export interface LateCall {
  begin(): void;
}

/** Of INV's work in one turn. The page owes its next frame after 16 ms. */
const sliceMs = 12;

/**
 * @param clock the steady time by which a turn's length is told, and the turns themselves
 * @param onBehind told when a first call is put off, with the end of it
 */
export function createTimeSlices(
  clock: Pick<Clock, "steadyNow" | "nextTurn">,
  onBehind?: (caughtUp: Promise<void>) => void,
): TimeSlices {
  let calls: LateCall[] = [];
  let next = 0;
  let isTurnBegun = false;
  let beganMs = 0;
  let listeners: (() => void)[] = [];

  function beginTurn(): void {
    isTurnBegun = true;
    beganMs = clock.steadyNow();
    clock.nextTurn(endTurn);
  }

  function endTurn(): void {
    isTurnBegun = false;
    if (next === calls.length) return;
    beginTurn();
    // One at least, however late it is by then.
    do beginNext();
    while (next < calls.length && isYoung());
    if (next === calls.length) empty();
  }

  function hasTime(): boolean {
    if (next < calls.length) return false;
    if (!isTurnBegun) beginTurn();
    return isYoung();
  }

  function isYoung(): boolean {
    return clock.steadyNow() - beganMs < sliceMs;
  }

  function beginNext(): void {
    const call = calls[next];
    next += 1;
    call?.begin();
  }

  function empty(): void {
    calls = [];
    next = 0;
    const told = listeners;
    listeners = [];
    for (const listener of told) listener();
  }

  function caughtUp(): Promise<void> {
    return next === calls.length ? Promise.resolve() : new Promise((resolve) => listeners.push(resolve));
  }

  return {
    begin(call) {
      if (hasTime()) {
        call.begin();
        return;
      }
      calls.push(call);
      if (next === calls.length - 1) onBehind?.(caughtUp());
    },
    catchUp() {
      while (next < calls.length) beginNext();
      empty();
    },
    caughtUp,
  };
}
