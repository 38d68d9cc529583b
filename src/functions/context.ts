/**
 * What the functions need from the add-in, and the calculations that wait for it. Excel calculates while the add-in is still
 * starting, so early calculations wait here.
 * Invariant: calculations begin in the order in which they came, and none waits for a start that has failed.
 */
import { toInvError, type InvError } from "../domain/errors";
import type { CellRegister } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import type { ResultThrottle } from "./result-throttle";
import type { ResultHost } from "./present";

export interface FunctionContext extends ResultHost {
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly throttle: ResultThrottle;
  /** Event codes in answers, documented or not. */
  readonly eventTypesSeen: Set<string>;
  /** Now, by the page's clock: milliseconds since 1970, UTC. It decides which dates are too old to request. */
  now(): number;
  /** The environment of this workbook; null while none is chosen. */
  environmentId(): string | null;
}

/** A calculation that waits for the add-in's start. Neither call throws. */
export interface PendingCalculation {
  addInStarted(): void;
  addInFailed(failure: FailedStart): void;
}

/** Why the add-in couldn't start, and the host that shows it. */
export interface FailedStart extends ResultHost {
  readonly error: InvError;
}

let current: FunctionContext | null = null;
let failure: FailedStart | null = null;
let waiting: PendingCalculation[] = [];

/** Called when the add-in has started, or has another context: begins the calculations that wait. */
export function startFunctions(context: FunctionContext): void {
  current = context;
  failure = null;
  for (const calculation of takeWaiting()) calculation.addInStarted();
}

/** Fails the calculations that wait, and those that come until `startFunctions`, with the reason why the add-in couldn't start. */
export function failFunctions(reason: unknown, clock: Pick<Clock, "steadyNow">): void {
  current = null;
  failure = { error: toInvError(reason), formatsTimes: false, steadyNow: () => clock.steadyNow() };
  for (const calculation of takeWaiting()) calculation.addInFailed(failure);
}

function takeWaiting(): readonly PendingCalculation[] {
  const calculations = waiting;
  waiting = [];
  return calculations;
}

/** Returns the context; null before the add-in has started. */
export function currentContext(): FunctionContext | null {
  return current;
}

/** Begins the calculation when the add-in has started; or fails it if the add-in can't start. Called before the start. */
export function beginWhenStarted(calculation: PendingCalculation): void {
  if (failure !== null) calculation.addInFailed(failure);
  else waiting.push(calculation);
}
