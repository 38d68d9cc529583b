/**
 * The session of the functions, and when their calls begin in it. The add-in opens it once. Excel calculates while the add-in is still
 * starting, so early calls wait here, and begin in their order when the session opens. Excel also passes a whole recalculation, 40,000
 * calls and more, in one turn of the event loop. Calls begin in that turn for some milliseconds, and the others in later turns, so
 * that the pane and Excel's own messages come between. A typed cell never waits.
 * Invariant: calls begin in their order, each begins, and none waits for a start that has failed.
 */
import { toInvError, type InvError } from "../domain/errors";
import type { CellRegister } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import type { ResultThrottle } from "./result-throttle";
import type { ResultHost } from "./present";

export interface FunctionSession extends ResultHost {
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly timeSlices: TimeSlices;
  readonly throttle: ResultThrottle;
  /** Whether the host shows cards. */
  readonly showsCards: boolean;
  /** Event codes in answers, documented or not. */
  readonly eventTypesSeen: Set<string>;
  /** The service's time, which decides which dates it keeps: milliseconds since 1970, UTC. */
  now(): number;
  /** The environment of this workbook; null while none is chosen. */
  environmentId(): string | null;
}

/** A call before the session opens. */
export interface PendingCall {
  opened(session: FunctionSession): void;
  failed(failure: FailedSession): void;
}

/** Why the session couldn't open. */
export interface FailedSession extends ResultHost {
  readonly error: InvError;
}

let current: FunctionSession | null = null;
let failure: FailedSession | null = null;
let waiting: PendingCall[] = [];

/** Opens the session; waiting calls begin in their order. A later session replaces an earlier one. */
export function openSession(session: FunctionSession): void {
  current = session;
  failure = null;
  const first = waiting;
  waiting = [];
  for (const call of first) call.opened(session);
}

/** Reports that the add-in couldn't start. Waiting calls, and those until a session opens, get this reason. */
export function failSession(reason: unknown, clock: Pick<Clock, "steadyNow">): void {
  current = null;
  failure = { error: toInvError(reason), formatsTimes: false, steadyNow: () => clock.steadyNow() };
  const first = waiting;
  waiting = [];
  for (const call of first) call.failed(failure);
}

/** Returns the open session; null if there is none. */
export function currentSession(): FunctionSession | null {
  return current;
}

/** Begins the call with the session, now or when it opens, or fails it if the session can't open. */
export function callWhenOpen(call: PendingCall): void {
  if (failure !== null) call.failed(failure);
  else if (current !== null) call.opened(current);
  else waiting.push(call);
}

export interface TimeSlices {
  /** Begins the call now if the turn has time left and no earlier call waits; otherwise in a later turn. */
  begin(call: QueuedCall): void;
  /** Begins all waiting calls now. */
  catchUp(): void;
  /** Resolves when no call waits. */
  caughtUp(): Promise<void>;
}

/** A call that begins in its turn. `begin` must not throw. */
export interface QueuedCall {
  begin(): void;
}

/** INV's share of a turn: the page draws a frame every 16 ms. */
const sliceMs = 12;

/**
 * @param onBehind called when a first call has to wait, with a promise of the end
 */
export function createTimeSlices(
  clock: Pick<Clock, "steadyNow" | "nextTurn">,
  onBehind?: (caughtUp: Promise<void>) => void,
): TimeSlices {
  let calls: QueuedCall[] = [];
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
    // At least one, even if the turn is over.
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
