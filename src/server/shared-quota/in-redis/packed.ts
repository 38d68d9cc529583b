/**
 * The state of an account as Redis stores it: rows of numbers and names, without what follows from them. Every step
 * reads and writes it, so it is short. The finished calls, which are many, are in a list of their own.
 */
import type { ThrottleState } from "../../../domain/pacing";
import { type AccountState, enqueue, type FinishedCalls, newAccountState, personOf } from "../account-state";

/** Increase it with every change: a server of another version then treats what is stored as a lost log. */
export const packedFormat = 5;

export interface PackedState {
  readonly throttle: ThrottleState;
  readonly placesCheckedAtMs: number;
  /** Waiting people first, in their order. */
  readonly people: readonly PackedPerson[];
  /** [id, server, untilMs, name, 1 for an edit] */
  readonly queue: readonly PackedRow[];
  /** [id, name, 1 for a priority edit, sentAtMs] */
  readonly inFlight: readonly PackedRow[];
}

type PackedRow = readonly (string | number)[];
type PackedPerson = readonly [
  name: string,
  used: number,
  priorityEdits: number,
  lastSentAtMs: number,
  /** 1 or 0. */
  isWaiting: number,
  ...places: number[],
];

const firstPlaceIndex = 5;

export function pack(state: AccountState): PackedState {
  const people: PackedPerson[] = [];
  for (const name of state.waitingPeople) people.push(packPerson(state, name, 1));
  for (const name of state.people.keys()) {
    if (!state.waitingPeople.has(name)) people.push(packPerson(state, name, 0));
  }
  const queue: PackedRow[] = [];
  for (const [id, { server, untilMs, asker }] of state.queue) {
    queue.push([id, server, untilMs, asker.person, asker.isEdit ? 1 : 0]);
  }
  const inFlight: PackedRow[] = [];
  for (const [id, call] of state.inFlight) {
    inFlight.push([id, call.person, call.isPriorityEdit ? 1 : 0, call.sentAtMs]);
  }
  const { throttle, placesCheckedAtMs } = state;
  return { throttle, placesCheckedAtMs, people, queue, inFlight };
}

function packPerson(state: AccountState, name: string, isWaiting: number): PackedPerson {
  const { used, priorityEdits, lastSentAtMs, places } = personOf(state, name);
  const row: [string, number, number, number, number, ...number[]] = [
    name,
    used,
    priorityEdits,
    lastSentAtMs,
    isWaiting,
  ];
  for (const place of places) row.push(place);
  return row;
}

export function unpack(packed: PackedState, limit: number, finished: FinishedCalls): AccountState {
  const state = newAccountState(limit, finished);
  Object.assign(state.throttle, packed.throttle);
  state.placesCheckedAtMs = packed.placesCheckedAtMs;
  for (const row of packed.people) unpackPerson(state, row);
  for (const row of packed.queue) {
    const [id, server, untilMs, person, isEdit] = row as [string, string, number, string, number];
    enqueue(state, id, { server, untilMs, asker: { person, isEdit: isEdit === 1 } });
  }
  for (const row of packed.inFlight) {
    const [id, person, isPriorityEdit, sentAtMs] = row as [string, string, number, number];
    state.inFlight.set(id, { person, isPriorityEdit: isPriorityEdit === 1, sentAtMs });
    personOf(state, person).inFlight += 1;
  }
  return state;
}

function unpackPerson(state: AccountState, row: PackedPerson): void {
  const [name, used, priorityEdits, lastSentAtMs, isWaiting] = row;
  const person = personOf(state, name);
  person.used = used;
  person.priorityEdits = priorityEdits;
  person.lastSentAtMs = lastSentAtMs;
  for (let index = firstPlaceIndex; index < row.length; index += 1) person.places.push(row[index] as number);
  state.priorityEdits += person.priorityEdits;
  state.placeCount += person.places.length;
  if (isWaiting === 1) state.waitingPeople.add(name);
}
