/**
 * The calls of an account in any 60 seconds, and how many more may leave.
 *
 * When a call reached the service is only known to lie between its sending and its answer. So it counts from
 * its sending until 60 seconds after its answer, and the service never sees more than it allows. A 429 means
 * that others spend the same quota elsewhere: how everybody gives way to that is `throttle`'s.
 * Invariant: whatever the limit, there is always a moment at which a call may leave.
 */
import { createThrottle, type Throttle } from "../../domain/pacing";
import { type AccountState, type SentCall, tidy, personOf } from "./account-state";
import type { EndedCall } from "./ended-calls";

export const windowMs = 60_000 + 50;
/** The relay gives up every call by then. One of whose end nobody has told, its server being gone, has ended too. */
export const longestCallMs = 60_000;
/** By then whatever was sent before counts no more. */
export const allCountedAfterMs = longestCallMs + windowMs;

/** Calls that count. */
export function usedOf({ ended, underWay }: AccountState): number {
  return ended.count() + underWay.size;
}

/** Whether one more call may leave now; an edit may use what is kept back. */
export function isOpen(state: AccountState, isEdit: boolean, nowMs: number): boolean {
  if (nowMs < state.throttle.pausedUntilMs || (isProbing(state) && state.underWay.size > 0)) return false;
  return usedOf(state) < allowance(state, isEdit, nowMs);
}

/** After a 429 one call has to show whether the others may follow. */
export function isProbing({ throttle }: AccountState): boolean {
  return throttle.refusals > 0;
}

export function allowance(state: AccountState, isEdit: boolean, nowMs: number): number {
  return throttleOf(state).allowance(isEdit, nowMs);
}

/** How long until so many more calls may have left (1: the next), as far as is known. */
export function opensInMs(
  state: AccountState,
  { calls, isEdit }: { readonly calls: number; readonly isEdit: boolean },
  nowMs: number,
): number {
  const { throttle, ended } = state;
  const wanted = usedOf(state) + calls;
  const over = wanted - allowance(state, isEdit, nowMs);
  const pauseMs = Math.max(0, throttle.pausedUntilMs - nowMs);
  if (over <= 0) return pauseMs;
  // What is still under way will count for a whole window from its answer, which is yet to come.
  const opensMs = (ended.at(over - 1)?.countsUntilMs ?? nowMs + windowMs) - nowMs;
  const recoversMs = Math.max(1, Math.ceil(throttleOf(state).allowsAtMs(wanted, isEdit) - nowMs));
  return Math.max(pauseMs, Math.min(opensMs, recoversMs));
}

/** A call ended: it counts for a while yet. */
export function countOn(
  state: AccountState,
  { person, wasEditFirst }: Omit<EndedCall, "countsUntilMs">,
  nowMs: number,
): void {
  state.ended.add({ person, wasEditFirst, countsUntilMs: nowMs + windowMs });
}

/** Lets go of what counts no more at this time. */
export function expire(state: AccountState, nowMs: number): void {
  endUntold(state, nowMs);
  const { ended } = state;
  for (let call = ended.at(0); call !== undefined && call.countsUntilMs <= nowMs; call = ended.at(0)) {
    ended.forgetOldest();
    forget(state, call);
  }
}

/** Calls whose server is gone; the oldest stand in front. */
function endUntold(state: AccountState, nowMs: number): void {
  const untold: string[] = [];
  for (const [id, { sentAtMs }] of state.underWay) {
    if (nowMs < sentAtMs + longestCallMs) break;
    untold.push(id);
  }
  for (const id of untold) {
    const call = state.underWay.get(id);
    if (call === undefined) continue;
    state.underWay.delete(id);
    personOf(state, call.person).underWay -= 1;
    if (nowMs < call.sentAtMs + allCountedAfterMs) countOn(state, call, nowMs);
    else forget(state, call);
  }
}

/** It has never left: it counts no more. */
export function takeBack(state: AccountState, id: string): void {
  const call = state.underWay.get(id);
  if (call === undefined) return;
  state.underWay.delete(id);
  personOf(state, call.person).underWay -= 1;
  forget(state, call);
}

function forget(state: AccountState, call: Pick<SentCall, "person" | "wasEditFirst">): void {
  const person = personOf(state, call.person);
  person.counted -= 1;
  if (call.wasEditFirst) {
    person.editsFirst -= 1;
    state.editsFirst -= 1;
  }
  tidy(state, call.person);
}

/** The service answered 429 to a call sent at that time. */
export function refused(
  state: AccountState,
  refusal: { readonly sentAtMs: number; readonly retryAfterMs: number | null; readonly chance: number },
  nowMs: number,
): void {
  const { sentAtMs, retryAfterMs, chance } = refusal;
  throttleOf(state, chance).refused({ nowMs, sentAtMs, used: usedOf(state), retryAfterMs });
}

function throttleOf({ limit, throttle }: AccountState, chance = 0): Throttle {
  return createThrottle(limit, () => chance, throttle);
}
