/**
 * Counts an account's calls in any 60 seconds, and says how many more may be sent.
 *
 * `domain/pacing.ts` says how long a call counts. A 429 means that somebody else uses the same quota; its `Throttle`
 * decides how to slow down.
 * Invariant: whatever the limit, a time comes at which a call may be sent.
 */
import { createThrottle, type Throttle } from "../../domain/pacing";
import { type AccountState, type FinishedCall, type InFlightCall, changePerson } from "./account-state";

/** A minute, and a margin for jitter. */
export const windowMs = 60_000 + 50;
/** The relay gives up on a call by then. */
const longestCallMs = 60_000;
/** After this time, no call sent before counts. */
export const allCountedAfterMs = longestCallMs + windowMs;

/** Calls that count now. */
export function usedOf({ finished, inFlight }: AccountState): number {
  return finished.length + inFlight.size;
}

/** Whether one more call may be sent now. Edits may use the calls that are kept back for them. */
export function isOpen(state: AccountState, isEdit: boolean, nowMs: number): boolean {
  if (nowMs < state.throttle.pausedUntilMs || (isProbing(state) && state.inFlight.size > 0)) return false;
  return usedOf(state) < allowance(state, isEdit, nowMs);
}

/** After a 429 a single call tests whether the service accepts calls again. */
export function isProbing({ throttle }: AccountState): boolean {
  return throttle.refusals > 0;
}

export function allowance(state: AccountState, isEdit: boolean, nowMs: number): number {
  return throttleOf(state).allowance(isEdit, nowMs);
}

/** Estimated milliseconds until call number `calls` (1: the next) may be sent. */
export function opensInMs(
  state: AccountState,
  { calls, isEdit }: { readonly calls: number; readonly isEdit: boolean },
  nowMs: number,
): number {
  const { throttle, finished } = state;
  const wanted = usedOf(state) + calls;
  const over = wanted - allowance(state, isEdit, nowMs);
  const pauseMs = Math.max(0, throttle.pausedUntilMs - nowMs);
  if (over <= 0) return pauseMs;
  // A call in flight counts for a whole window after its answer, which is still to come.
  const opensMs = (finished[over - 1]?.countsUntilMs ?? nowMs + windowMs) - nowMs;
  const recoversMs = Math.max(1, Math.ceil(throttleOf(state).allowsAtMs(wanted, isEdit) - nowMs));
  return Math.max(pauseMs, Math.min(opensMs, recoversMs));
}

/** The call has ended and counts for another window. */
export function addFinished(
  state: AccountState,
  { person, isPriorityEdit }: Omit<FinishedCall, "countsUntilMs">,
  nowMs: number,
): void {
  state.finished.push({ person, isPriorityEdit, countsUntilMs: nowMs + windowMs });
}

/** Removes calls that no longer count. */
export function expire(state: AccountState, nowMs: number): void {
  const counting = state.finished.findIndex(({ countsUntilMs }) => countsUntilMs > nowMs);
  const over = state.finished.splice(0, counting < 0 ? state.finished.length : counting);
  for (const call of over) uncount(state, call);
}

/** Replaces the finished calls, oldest first: with several servers, those of all of them count. */
export function replaceFinished(
  state: AccountState,
  calls: readonly (FinishedCall & { readonly crowd: string | null; readonly sentAtMs: number })[],
): void {
  const before = state.finished.splice(0);
  for (const { person: name, crowd, isPriorityEdit, countsUntilMs, sentAtMs } of calls) {
    changePerson(state, name, (person) => {
      person.crowd ??= crowd;
      person.used += 1;
      person.lastSentAtMs = Math.max(person.lastSentAtMs, sentAtMs);
      person.priorityEdits += isPriorityEdit ? 1 : 0;
    });
    state.priorityEdits += isPriorityEdit ? 1 : 0;
    state.finished.push({ person: name, isPriorityEdit, countsUntilMs });
  }
  // Last, so that nobody is forgotten in between.
  for (const call of before) uncount(state, call);
}

/** The call was never sent, so it doesn't count. */
export function withdraw(state: AccountState, id: string): void {
  const call = state.inFlight.get(id);
  if (call === undefined) return;
  state.inFlight.delete(id);
  changePerson(state, call.person, (person) => void (person.inFlight -= 1));
  uncount(state, call);
}

function uncount(
  state: AccountState,
  { person: name, isPriorityEdit }: Pick<InFlightCall, "person" | "isPriorityEdit">,
): void {
  changePerson(state, name, (person) => {
    person.used -= 1;
    person.priorityEdits -= isPriorityEdit ? 1 : 0;
  });
  state.priorityEdits -= isPriorityEdit ? 1 : 0;
}

/** The service answered 429 to a call sent at `sentAtMs`. */
export function slowDown(
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
