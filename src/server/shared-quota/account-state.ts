/**
 * What is known about one account's calls, as plain data: calls that wait, calls in flight or recently finished, the
 * people who made them, and the throttle. Only `step` changes it. It contains no clock, so it can live in this process
 * or in Redis, where `step` runs compiled to Lua. In Lua, 0 and "" are true, and nothing may be removed from a map or
 * set while a loop goes through it.
 */
import { newThrottleState, type ThrottleState } from "../../domain/pacing";

/** The person whose share a call uses; it is an edit if they have just typed the cell. */
export interface Asker {
  readonly person: string;
  readonly isEdit: boolean;
}

export interface AccountState {
  /** Calls in any 60 seconds. */
  readonly limit: number;
  readonly throttle: ThrottleState;
  /** Maps call IDs to calls, oldest first. */
  readonly queue: Map<string, QueuedCall>;
  readonly inFlight: Map<string, InFlightCall>;
  readonly finished: FinishedCalls;
  readonly people: Map<string, Person>;
  /** Names of the people who have calls in the queue or places. */
  readonly waitingPeople: Set<string>;
  queuedEdits: number;
  /** Number of all people's places. */
  placeCount: number;
  /** When expired places were last released. */
  placesCheckedAtMs: number;
  /** Calls that count and were sent first because they were edits. */
  priorityEdits: number;
}

export interface QueuedCall {
  /** Only the server that received a call can send it. */
  readonly server: string;
  readonly asker: Asker;
  readonly untilMs: number;
}

export interface InFlightCall {
  readonly person: string;
  readonly isPriorityEdit: boolean;
  readonly sentAtMs: number;
}

export interface FinishedCall {
  readonly person: string;
  readonly isPriorityEdit: boolean;
  readonly countsUntilMs: number;
}

/**
 * Finished calls that still count, oldest first. There can be as many as the quota, and a step reads only a few, so
 * they are read one by one and Redis keeps them in a list of their own.
 */
export interface FinishedCalls {
  count(): number;
  /** 0 is the oldest. */
  at(index: number): FinishedCall | undefined;
  add(call: FinishedCall): void;
  removeOldest(): void;
}

export interface Person {
  /** Calls that count, in flight or finished. */
  used: number;
  inFlight: number;
  priorityEdits: number;
  lastSentAtMs: number;
  /** Edits come first. */
  readonly queued: { readonly id: string; readonly isEdit: boolean }[];
  /** When rejected calls of this person come back, earliest first. */
  readonly places: number[];
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

export function newAccountState(
  limit: number,
  finished: FinishedCalls = createFinishedCalls(),
): AccountState {
  return {
    limit,
    throttle: newThrottleState(limit),
    queue: new Map(),
    inFlight: new Map(),
    finished,
    people: new Map(),
    waitingPeople: new Set(),
    queuedEdits: 0,
    placeCount: 0,
    placesCheckedAtMs: -Infinity,
    priorityEdits: 0,
  };
}

export function createFinishedCalls(): FinishedCalls {
  const calls: FinishedCall[] = [];
  let removed = 0;
  return {
    count: () => calls.length - removed,
    at: (index) => calls[removed + index],
    add: (call) => void calls.push(call),
    removeOldest() {
      removed += 1;
      if (removed <= 100 || removed * 2 <= calls.length) return;
      calls.splice(0, removed);
      removed = 0;
    },
  };
}

export function personOf(state: AccountState, name: string): Person {
  let person = state.people.get(name);
  if (person === undefined) {
    person = {
      used: 0,
      inFlight: 0,
      priorityEdits: 0,
      lastSentAtMs: -Infinity,
      queued: [],
      places: [],
    };
    state.people.set(name, person);
  }
  return person;
}

/** Call it after a person's calls or places change: it forgets people about whom nothing is left to know. */
export function tidy(state: AccountState, name: string): void {
  const person = state.people.get(name);
  if (person === undefined) return;
  const isWaiting = person.queued.length > 0 || person.places.length > 0;
  if (isWaiting) state.waitingPeople.add(name);
  else state.waitingPeople.delete(name);
  if (!isWaiting && person.used === 0) state.people.delete(name);
}

/** Adds a call to the queue and to its person's list, in which edits come first. */
export function enqueue(state: AccountState, id: string, call: QueuedCall): void {
  const { person, isEdit } = call.asker;
  state.queue.set(id, call);
  const { queued } = personOf(state, person);
  if (isEdit) {
    queued.unshift({ id, isEdit });
    state.queuedEdits += 1;
  } else queued.push({ id, isEdit });
  tidy(state, person);
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
