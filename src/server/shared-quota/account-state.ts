/**
 * What is known of one account's calls, as data: who waits for a turn, which calls are under way or ended a short time
 * ago, whose places are kept, and how the pace stands. No clock in it, times being those of whatever keeps it; so it can
 * lie in this process or in a store that several share. Changed by `step` alone, which runs in Redis too, compiled to Lua:
 * there 0 and "" are true, and nothing may be taken out of a map or set that is being gone through.
 */

import { newThrottleState, type ThrottleState } from "../../domain/pacing";
import { createEndedCalls, type EndedCalls } from "./ended-calls";

/** Who wants a call: a person, and whether a cell was just typed. */
export interface Asker {
  readonly person: string;
  readonly isEdit: boolean;
}

export interface AccountState {
  /** Calls in any 60 seconds. */
  readonly limit: number;
  readonly throttle: ThrottleState;
  /** By the call's id, in the order of coming. */
  readonly line: Map<string, WaitingCall>;
  readonly underWay: Map<string, SentCall>;
  readonly ended: EndedCalls;
  readonly people: Map<string, Person>;
  /** Those of them who wait in line, or will be back. */
  readonly asking: Set<string>;
  /** Calls in line that somebody wants for an edit. */
  editsInLine: number;
  /** Of all people. */
  keptPlaces: number;
  /** When places that nobody came for were last given on. */
  lookedAtPlacesMs: number;
  /** Of the calls that count, those that went first because they were edits. */
  editsFirst: number;
  /** Servers that lack room for their next call, so that it holds up nobody else's. */
  readonly full: Map<string, FullServer>;
}

export interface FullServer {
  /** Not even an edit finds a connection. */
  readonly toEdits: boolean;
  /** It will have said by then, if it is still there. */
  readonly untilMs: number;
}

export interface WaitingCall {
  /** Where it waits: that one alone can send it. */
  readonly server: string;
  readonly askers: readonly Asker[];
  readonly untilMs: number;
}

export interface SentCall {
  readonly person: string;
  readonly wasEditFirst: boolean;
  readonly sentAtMs: number;
}

export interface Person {
  /** Calls that count, those under way among them. */
  counted: number;
  underWay: number;
  editsFirst: number;
  lastLeftAtMs: number;
  /** Edits first. */
  readonly waiting: { readonly id: string; readonly isEdit: boolean }[];
  /** When the calls that were rejected will be back, earliest first. */
  readonly places: number[];
}

export function newAccountState(limit: number, ended: EndedCalls = createEndedCalls()): AccountState {
  return {
    limit,
    throttle: newThrottleState(limit),
    line: new Map(),
    underWay: new Map(),
    ended,
    people: new Map(),
    asking: new Set(),
    editsInLine: 0,
    keptPlaces: 0,
    lookedAtPlacesMs: -Infinity,
    editsFirst: 0,
    full: new Map(),
  };
}

export function personOf(state: AccountState, name: string): Person {
  let person = state.people.get(name);
  if (person === undefined) {
    person = {
      counted: 0,
      underWay: 0,
      editsFirst: 0,
      lastLeftAtMs: -Infinity,
      waiting: [],
      places: [],
    };
    state.people.set(name, person);
  }
  return person;
}

/** After a change of what somebody waits for or has had: of whom nothing is left to know, nothing is kept. */
export function tidy(state: AccountState, name: string): void {
  const person = state.people.get(name);
  if (person === undefined) return;
  const isAsking = person.waiting.length > 0 || person.places.length > 0;
  if (isAsking) state.asking.add(name);
  else state.asking.delete(name);
  if (!isAsking && person.counted === 0) state.people.delete(name);
}
