/**
 * What is known about one account's calls, as plain data: calls that wait, calls in flight or recently finished, the
 * people who made them, and the throttle. It contains no clock. `step` changes it; with several servers, the finished
 * calls are those of all of them, as Redis last reported (`in-redis`).
 * Invariant: a crowd's counts are the sums of its members', because only `changePerson` changes people.
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
  /** The people who count alone. A greedy page can look like hundreds of people; the others are in crowds. */
  readonly alone: Set<Person>;
  readonly crowds: Map<string, Crowd>;
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
  readonly crowd: string | null;
  /** Calls that count, in flight or finished. */
  readonly used: number;
  readonly inFlight: number;
  readonly priorityEdits: number;
  readonly lastSentAtMs: number;
  /** Edits come first. */
  readonly queued: readonly PersonsCall[];
  /** When rejected calls of this person come back, earliest first. */
  readonly reservations: readonly number[];
}

interface PersonsCall {
  readonly id: string;
  readonly call: QueuedCall;
}

interface ChangingPerson extends Mutable<Omit<Person, "queued" | "reservations">> {
  readonly queued: PersonsCall[];
  readonly reservations: number[];
}

type Mutable<T> = { -readonly [Part in keyof T]: T[Part] };

/** Sums over the newcomers who count together. */
interface Crowd {
  members: number;
  used: number;
  inFlight: number;
  priorityEdits: number;
  /** Of those who have left it too. */
  lastSentAtMs: number;
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
    alone: new Set(),
    crowds: new Map(),
    waitingPeople: new Set(),
    queuedEdits: 0,
    reservationCount: 0,
    reservationsCheckedAtMs: -Infinity,
    priorityEdits: 0,
  };
}

export function personOf({ people }: AccountState, name: string): Person {
  return people.get(name) ?? newPerson();
}

function newPerson(): ChangingPerson {
  const nothing = { used: 0, inFlight: 0, priorityEdits: 0 };
  return { crowd: null, ...nothing, lastSentAtMs: -Infinity, queued: [], reservations: [] };
}

/** Changes a person, and forgets people about whom nothing is left to know. `change` must not change others. */
export function changePerson(
  state: AccountState,
  name: string,
  change: (person: ChangingPerson) => void,
): void {
  const { people, waitingPeople } = state;
  const person = (people.get(name) as ChangingPerson | undefined) ?? newPerson();
  if (people.delete(name)) count(state, person, -1);
  change(person);
  const isWaiting = pendingOf(person) > 0;
  if (isWaiting) waitingPeople.add(name);
  else waitingPeople.delete(name);
  if (!isWaiting && person.used === 0) return;
  people.set(name, person);
  count(state, person, 1);
}

/** Adds a person to what is counted, or removes them. */
function count({ alone, crowds }: AccountState, person: Person, times: 1 | -1): void {
  if (!isInCrowd(person)) {
    if (times === 1) alone.add(person);
    else alone.delete(person);
    return;
  }
  let crowd = crowds.get(person.crowd);
  if (crowd === undefined) {
    crowd = { members: 0, used: 0, inFlight: 0, priorityEdits: 0, lastSentAtMs: -Infinity };
    crowds.set(person.crowd, crowd);
  }
  crowd.members += times;
  crowd.used += times * person.used;
  crowd.inFlight += times * person.inFlight;
  crowd.priorityEdits += times * person.priorityEdits;
  crowd.lastSentAtMs = Math.max(crowd.lastSentAtMs, person.lastSentAtMs);
  if (crowd.members === 0) crowds.delete(person.crowd);
}

/** A newcomer who has made at most one call in the last minute. */
export function isInCrowd(person: Person): person is Person & { crowd: string } {
  return person.crowd !== null && person.used + pendingOf(person) <= 1;
}

/** Queued calls, and rejected ones that will come back. */
export function pendingOf({ queued, reservations }: Pick<Person, "queued" | "reservations">): number {
  return queued.length + reservations.length;
}

/** Adds a call to the queue and to its person's list, in which edits come first. */
export function enqueue(state: AccountState, id: string, call: QueuedCall): void {
  const { person: name, crowd = null, isEdit } = call.asker;
  state.queue.set(id, call);
  if (isEdit) state.queuedEdits += 1;
  changePerson(state, name, (person) => {
    person.crowd = crowd;
    person.queued.splice(isEdit ? editsIn(person) : person.queued.length, 0, { id, call });
  });
}

/** Puts a call before all others in the queue, and behind its person's edits unless it is one. */
export function enqueueFirst(state: AccountState, id: string, call: QueuedCall): void {
  const { person: name, crowd = null, isEdit } = call.asker;
  const others = [...state.queue];
  state.queue.clear();
  state.queue.set(id, call);
  for (const [other, waiting] of others) state.queue.set(other, waiting);
  if (isEdit) state.queuedEdits += 1;
  changePerson(state, name, (person) => {
    person.crowd = crowd;
    person.queued.splice(isEdit ? 0 : editsIn(person), 0, { id, call });
  });
}

/** A person's queued edits come first, so this is also where the other calls begin. */
function editsIn({ queued }: Person): number {
  return queued.filter(({ call }) => call.asker.isEdit).length;
}

export function dequeue(state: AccountState, id: string): void {
  const call = state.queue.get(id);
  if (call === undefined) return;
  const { person: name, isEdit } = call.asker;
  if (isEdit) state.queuedEdits -= 1;
  state.queue.delete(id);
  changePerson(state, name, ({ queued }) => {
    const at = queued.findIndex((each) => each.id === id);
    queued.splice(at, 1);
  });
}
