/**
 * The state of an account as it lies in Redis: numbers and names in rows, without what follows from the rest. Read and
 * written at every step, so it is short; the calls that have ended, which are many, are not in it.
 */
import { type AccountState, type Asker, newAccountState, personOf } from "../account-state";
import type { ThrottleState } from "../../../domain/pacing";
import type { EndedCalls } from "../ended-calls";
import { standInLine } from "../standing";

/** Another one where it changes: a server of another version then takes what lies there for a log that was lost. */
export const packedFormat = 2;

export interface PackedState {
  readonly throttle: ThrottleState;
  readonly lookedAtPlacesMs: number;
  /** Those who ask first, in their order. */
  readonly people: readonly PackedPerson[];
  /** [id, server, untilMs, then name and 1 where an edit, of each asker] */
  readonly line: readonly PackedRow[];
  /** [id, name, 1 where an edit went first, sentAtMs] */
  readonly underWay: readonly PackedRow[];
  /** [server, 1 where full to edits too, untilMs] */
  readonly full: readonly PackedRow[];
}

type PackedRow = readonly (string | number)[];
type PackedPerson = readonly [
  name: string,
  counted: number,
  editsFirst: number,
  lastLeftAtMs: number,
  /** 1 where they do. */
  asks: number,
  ...places: number[],
];

const placesFrom = 5;

export function pack(state: AccountState): PackedState {
  const people: PackedPerson[] = [];
  for (const name of state.asking) people.push(packPerson(state, name, 1));
  for (const name of state.people.keys()) {
    if (!state.asking.has(name)) people.push(packPerson(state, name, 0));
  }
  const line: PackedRow[] = [];
  for (const [id, { server, untilMs, askers }] of state.line) {
    const row: (string | number)[] = [id, server, untilMs];
    for (const { person, isEdit } of askers) row.push(person, isEdit ? 1 : 0);
    line.push(row);
  }
  const underWay: PackedRow[] = [];
  for (const [id, call] of state.underWay) {
    underWay.push([id, call.person, call.wasEditFirst ? 1 : 0, call.sentAtMs]);
  }
  const full: PackedRow[] = [];
  for (const [server, { toEdits, untilMs }] of state.full) full.push([server, toEdits ? 1 : 0, untilMs]);
  return {
    throttle: state.throttle,
    lookedAtPlacesMs: state.lookedAtPlacesMs,
    people,
    line,
    underWay,
    full,
  };
}

function packPerson(state: AccountState, name: string, asks: number): PackedPerson {
  const { counted, editsFirst, lastLeftAtMs, places } = personOf(state, name);
  const row: [string, number, number, number, number, ...number[]] = [
    name,
    counted,
    editsFirst,
    lastLeftAtMs,
    asks,
  ];
  for (const place of places) row.push(place);
  return row;
}

export function unpack(packed: PackedState, limit: number, ended: EndedCalls): AccountState {
  const state = newAccountState(limit, ended);
  Object.assign(state.throttle, packed.throttle);
  state.lookedAtPlacesMs = packed.lookedAtPlacesMs;
  for (const row of packed.people) unpackPerson(state, row);
  for (const row of packed.line) {
    const askers: Asker[] = [];
    for (let place = 3; place < row.length; place += 2) {
      askers.push({ person: row[place] as string, isEdit: row[place + 1] === 1 });
    }
    const [id, server, untilMs] = row as [string, string, number];
    standInLine(state, id, { server, untilMs, askers });
  }
  for (const row of packed.underWay) {
    const [id, person, wasEditFirst, sentAtMs] = row as [string, string, number, number];
    state.underWay.set(id, { person, wasEditFirst: wasEditFirst === 1, sentAtMs });
    personOf(state, person).underWay += 1;
  }
  for (const row of packed.full) {
    const [server, toEdits, untilMs] = row as [string, number, number];
    state.full.set(server, { toEdits: toEdits === 1, untilMs });
  }
  return state;
}

function unpackPerson(state: AccountState, row: PackedPerson): void {
  const [name, counted, editsFirst, lastLeftAtMs, asks] = row;
  const person = personOf(state, name);
  person.counted = counted;
  person.editsFirst = editsFirst;
  person.lastLeftAtMs = lastLeftAtMs;
  for (let place = placesFrom; place < row.length; place += 1) person.places.push(row[place] as number);
  state.editsFirst += person.editsFirst;
  state.keptPlaces += person.places.length;
  if (asks === 1) state.asking.add(name);
}
