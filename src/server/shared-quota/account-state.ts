/**
 * What is known about one account's calls, as plain data: calls that wait, calls in flight or recently finished, the
 * people who made them, and the throttle. It contains no clock. `step` changes it; with several servers, the finished
 * calls are those of all of them, as Redis last told (`in-redis`).
 */
import { newThrottleState, type ThrottleState } from "../../domain/pacing";

/** The person whose share a call uses; it is an edit if they have just typed the cell. */
export interface Asker {
  readonly person: string;
  /** Newcomers of one crowd count together at first (`standings`). */
  readonly crowd?: string | null;
  readonly isEdit: boolean;
}

export interface AccountState {
  /** Calls in any 60 seconds. */
  readonly limit: number;
  readonly throttle: ThrottleState;
  /** Maps call IDs to calls, oldest first. */
  readonly queue: Map<string, QueuedCall>;
  /** This server's calls, oldest first. */
  readonly inFlight: Map<string, InFlightCall>;
  /** Calls that still count, oldest first. */
  readonly finished: FinishedCall[];
  readonly people: Map<string, Person>;
  /** Names of the people who have calls in the queue or reservations. */
  readonly waitingPeople: Set<string>;
  queuedEdits: number;
  /** Number of all people's reservations. */
  reservationCount: number;
  /** When expired reservations were last released. */
  reservationsCheckedAtMs: number;
  /** Calls that count and were sent first because they were edits. */
  priorityEdits: number;
}

export interface QueuedCall {
  readonly asker: Asker;
  readonly untilMs: number;
}

export interface InFlightCall {
  readonly person: string;
  readonly isPriorityEdit: boolean;
  readonly sentAtMs: number;
  /** Its place in the queue, if it must wait on after all. */
  readonly queued: QueuedCall;
}

export interface FinishedCall {
  readonly person: string;
  readonly isPriorityEdit: boolean;
  readonly countsUntilMs: number;
}

export interface Person {
  /** The crowd in which the person came, or null. */
  crowd: string | null;
  /** Calls that count, in flight or finished. */
  used: number;
  inFlight: number;
  priorityEdits: number;
  lastSentAtMs: number;
  /** Edits come first. */
  readonly queued: { readonly id: string; readonly call: QueuedCall }[];
  /** When rejected calls of this person come back, earliest first. */
  readonly reservations: number[];
}

export type CallEnd =
  /** The service answered 429. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number | null }
  | { readonly kind: "answered" }
  /** A network error, or the page left. */
  | { readonly kind: "failed" };

export interface QuotaUsage {
  /** Calls that count in the present 60 seconds. */
  readonly used: number;
  readonly limit: number;
}

export function newAccountState(limit: number): AccountState {
  return {
    limit,
    throttle: newThrottleState(limit),
    queue: new Map(),
    inFlight: new Map(),
    finished: [],
    people: new Map(),
    waitingPeople: new Set(),
    queuedEdits: 0,
    reservationCount: 0,
    reservationsCheckedAtMs: -Infinity,
    priorityEdits: 0,
  };
}

export function personOf(state: AccountState, name: string): Person {
  let person = state.people.get(name);
  if (person === undefined) {
    person = {
      crowd: null,
      used: 0,
      inFlight: 0,
      priorityEdits: 0,
      lastSentAtMs: -Infinity,
      queued: [],
      reservations: [],
    };
    state.people.set(name, person);
  }
  return person;
}

/** The person who asks, in the crowd that the call names. */
export function askerOf(state: AccountState, { person: name, crowd = null }: Asker): Person {
  const person = personOf(state, name);
  person.crowd = crowd;
  return person;
}

/** Call it after a person's calls or reservations change: it forgets people about whom nothing is left to know. */
export function tidy(state: AccountState, name: string): void {
  const person = state.people.get(name);
  if (person === undefined) return;
  const isWaiting = person.queued.length > 0 || person.reservations.length > 0;
  if (isWaiting) state.waitingPeople.add(name);
  else state.waitingPeople.delete(name);
  if (!isWaiting && person.used === 0) state.people.delete(name);
}

/** Adds a call to the queue and to its person's list, in which edits come first. */
export function enqueue(state: AccountState, id: string, call: QueuedCall): void {
  const { person, isEdit } = call.asker;
  state.queue.set(id, call);
  const { queued } = askerOf(state, call.asker);
  queued.splice(isEdit ? editsIn(queued) : queued.length, 0, { id, call });
  if (isEdit) state.queuedEdits += 1;
  tidy(state, person);
}

/** Puts a call before all others in the queue, and behind its person's edits unless it is one. */
export function enqueueFirst(state: AccountState, id: string, call: QueuedCall): void {
  const { person, isEdit } = call.asker;
  const others = [...state.queue];
  state.queue.clear();
  state.queue.set(id, call);
  for (const [other, waiting] of others) state.queue.set(other, waiting);
  const { queued } = askerOf(state, call.asker);
  queued.splice(isEdit ? 0 : editsIn(queued), 0, { id, call });
  if (isEdit) state.queuedEdits += 1;
  tidy(state, person);
}

/** A person's queued edits come first, so this is also where the other calls begin. */
function editsIn(queued: Person["queued"]): number {
  return queued.filter(({ call }) => call.asker.isEdit).length;
}

export function dequeue(state: AccountState, id: string): void {
  const call = state.queue.get(id);
  if (call === undefined) return;
  const { person, isEdit } = call.asker;
  const { queued } = personOf(state, person);
  queued.splice(
    queued.findIndex((each) => each.id === id),
    1,
  );
  if (isEdit) state.queuedEdits -= 1;
  state.queue.delete(id);
  tidy(state, person);
}
