/**
 * Order of calls: first edits, as many as a person can type, then people with the fewest calls. Nobody delays a person
 * who has fewer calls.
 */
import {
  type AccountState,
  type CallEnd,
  newAccountState,
  personOf,
} from "../../../src/server/shared-quota/account-state";
import { type CallEvent, step } from "../../../src/server/shared-quota/step";

let state: AccountState;
let calls: number;
beforeEach(() => {
  state = newAccountState(600);
  calls = 0;
});

const decide = (events: readonly CallEvent[], nowMs: number) => step(state, { events, nowMs, chance: 0 });
/** The people whose calls leave. */
const gone = (...given: Parameters<typeof decide>) =>
  decide(...given).send.map((id) => id.split(" ")[1] ?? "");
const look = (atMs: number) => gone([], atMs);
/** Enters one call for each person. Returns the people whose calls leave. */
function enter(people: readonly string[], atMs: number, isEdit = false): readonly string[] {
  const events = people.map((person): CallEvent => {
    return { kind: "arrived", id: `${(calls += 1)} ${person}`, asker: { person, isEdit } };
  });
  return gone(events, atMs);
}
const ended = (id: string, end: CallEnd = { kind: "answered" }): CallEvent => ({ kind: "ended", id, end });
/** Answers all calls in flight. */
const answer = (atMs: number) =>
  decide(
    [...state.inFlight.keys()].map((id) => ended(id)),
    atMs,
  );
/** Lets no call leave before this time. */
const pauseUntil = (atMs: number) => void (state.throttle.pausedUntilMs = atMs);

it("sends first for the person with the fewest calls, newcomer or not", () => {
  enter(["a", "a", "a", "b", "b", "c"], 0);
  answer(10);
  pauseUntil(30);
  enter(["a", "b", "c", "new"], 20);
  expect(look(30)).toEqual(["new", "c", "b", "a"]);
});

it("sends among equals for the person served longest ago, then in the order of arrival", () => {
  for (const [index, person] of ["b", "a", "c"].entries()) enter([person], index);
  answer(10);
  pauseUntil(30);
  enter(["a", "b", "c", "x", "y"], 20);
  expect(look(30)).toEqual(["x", "y", "b", "a", "c"]);
});

it("forgets a call and its person a minute after the answer", () => {
  enter(["a", "a"], 0);
  answer(10);
  decide([], 60_059);
  expect([...state.people.keys()]).toEqual(["a"]);
  decide([], 60_060);
  expect(state.people.size).toBe(0);
});

it("sends an edit before all other calls, even of the person with the most calls", () => {
  enter(["a", "a", "a"], 0);
  pauseUntil(30);
  enter(["new"], 10);
  enter(["a"], 20, true);
  expect(look(30)).toEqual(["a", "new"]);
});

it("sends a person's edits in the order of arrival, before their other calls", () => {
  pauseUntil(30);
  enter(["a"], 10);
  for (const atMs of [15, 20, 25]) enter(["a"], atMs, true);
  expect(decide([], 30).send).toEqual(["2 a", "3 a", "4 a", "1 a"]);
});

it("sends as many edits of a person first as a person can type, and the others in turn", () => {
  for (let edit = 0; edit < 30; edit += 1) enter(["typist"], edit, true);
  expect(personOf(state, "typist").priorityEdits).toBe(20);
  pauseUntil(60);
  enter(["typist"], 40, true);
  enter(["other"], 50);
  expect(look(60)).toEqual(["other", "typist"]);
});

it("gives all people's edits together at most a tenth of the quota", () => {
  for (let person = 0; person < 10; person += 1) {
    for (let edit = 0; edit < 20; edit += 1) {
      enter([`person-${person}`], person * 20 + edit, true);
    }
  }
  expect(state.priorityEdits).toBe(60);
});

it("serves the person with the most calls last, even after the longest wait", () => {
  enter(["a", "a", "a", "a", "b", "b", "b", "c", "c"], 0);
  pauseUntil(1_030);
  enter(["a"], 1_000);
  enter(["b"], 1_010);
  enter(["c"], 1_020);
  expect(look(1_030)).toEqual(["c", "b", "a"]);
});

describe("beyond an equal share", () => {
  // 18 calls are available to calls that are not edits, so a share is 9.
  const begin = () => {
    state = newAccountState(20);
    enter([...Array<string>(9).fill("a"), "b"], 0);
    answer(100);
  };

  it("sends calls evenly, so that the rest of the quota lasts until the window opens", () => {
    begin();
    const leftAtMs: number[] = [];
    for (let atMs = 200; atMs < 60_000; atMs += 100) {
      if (enter(["a"], atMs).length > 0) leftAtMs.push(atMs);
    }
    const pauses = leftAtMs.map((atMs, index) => atMs - (leftAtMs[index - 1] ?? 0));
    expect(leftAtMs.length).toBeGreaterThanOrEqual(6);
    expect(Math.min(...pauses)).toBeGreaterThan(5_000);
  });

  it("has room for a page below its share at any time, after any pause", () => {
    begin();
    let answered = 0;
    for (let atMs = 200; atMs < 59_000; atMs += 100) {
      if (state.queue.size === 0) enter(["a", "a"], atMs);
      look(atMs);
      if (atMs % 20_000 === 0) answered += enter(["b"], atMs).filter((who) => who === "b").length;
    }
    expect(answered).toBe(2);
  });
});

it("sends the call that tests a refusal at once, despite reservations and earlier calls", () => {
  state = newAccountState(60);
  enter(Array<string>(5).fill("a"), 0);
  const [refused = "", ...others] = state.inFlight.keys();
  const throttled: CallEnd = { kind: "throttled", retryAfterMs: 20_000 };
  decide([...others.map((id) => ended(id)), ended(refused, throttled)], 100);
  const { pausedUntilMs } = state.throttle;
  // These people have no calls yet. Each gets a retry time after the end of the pause.
  for (const person of ["b", "c", "d"]) enter(Array<string>(6).fill(person), 1_000);
  expect(state.reservationCount).toBe(18);
  expect(enter(["a"], pausedUntilMs - 1_000)).toEqual([]);
  expect(look(pausedUntilMs)).toEqual(["a"]);
  expect(state.reservationCount).toBe(18);
  // Only one call leaves until it is answered.
  expect(enter(["b"], pausedUntilMs + 10)).toEqual([]);
});

it("sends several calls at once again after the call that tests a refusal is answered", () => {
  enter(["a"], 0);
  const [refused = ""] = state.inFlight.keys();
  decide([ended(refused, { kind: "throttled", retryAfterMs: 20_000 })], 100);
  const { pausedUntilMs } = state.throttle;
  enter(["b", "c", "d"], pausedUntilMs - 1_000);
  expect(look(pausedUntilMs)).toEqual(["b"]);
  expect(look(pausedUntilMs + 10)).toEqual([]);
  expect(answer(pausedUntilMs + 20).send).toHaveLength(2);
  expect(enter(["e", "f"], pausedUntilMs + 30)).toEqual(["e", "f"]);
});

it("releases reservations whose calls don't come back, two seconds after their time", () => {
  pauseUntil(30_000);
  enter(Array<string>(6).fill("b"), 0);
  expect(state.reservationCount).toBe(6);
  const lastReservedAtMs = Math.max(...personOf(state, "b").reservations);
  look(lastReservedAtMs);
  expect(state.reservationCount).toBeGreaterThan(0);
  look(lastReservedAtMs + 2_000);
  expect(state.reservationCount).toBe(0);
  expect([...state.people.keys()]).toEqual([]);
});
