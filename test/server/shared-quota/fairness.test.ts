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

interface Asked {
  readonly atMs: number;
  readonly connections?: number;
  readonly isEdit?: boolean;
}
const decide = (events: readonly CallEvent[], atMs: number, connections = 0) =>
  step(state, {
    server: "",
    events,
    connections: { all: connections, others: connections },
    nowMs: atMs,
    holdMs: 2_000,
    chance: 0,
  });
/** The people whose calls leave. */
const gone = (...given: Parameters<typeof decide>) =>
  decide(...given).send.map((id) => id.split(" ")[1] ?? "");
const look = (atMs: number, connections: number) => gone([], atMs, connections);
/** Enters one call for each person. Returns the people whose calls leave. */
function enter(
  people: readonly string[],
  { atMs, connections = 0, isEdit = false }: Asked,
): readonly string[] {
  const events = people.map((person): CallEvent => {
    return { kind: "arrived", id: `${(calls += 1)} ${person}`, asker: { person, isEdit } };
  });
  return gone(events, atMs, connections);
}
const ended = (id: string, end: CallEnd = { kind: "answered" }): CallEvent => ({ kind: "ended", id, end });
/** Answers all calls in flight. */
const answer = (atMs: number) =>
  decide(
    [...state.inFlight.keys()].map((id) => ended(id)),
    atMs,
  );

it("sends first for the person with the fewest calls, newcomer or not", () => {
  enter(["a", "a", "a", "b", "b", "c"], { atMs: 0, connections: 6 });
  answer(10);
  enter(["a", "b", "c", "new"], { atMs: 20 });
  expect(look(30, 9)).toEqual(["new", "c", "b", "a"]);
});

it("sends among equals for the person served longest ago, then in the order of arrival", () => {
  for (const [index, person] of ["b", "a", "c"].entries()) enter([person], { atMs: index, connections: 1 });
  answer(10);
  enter(["a", "b", "c", "x", "y"], { atMs: 20 });
  expect(look(30, 9)).toEqual(["x", "y", "b", "a", "c"]);
});

it("forgets a call and its person a minute after the answer", () => {
  enter(["a", "a"], { atMs: 0, connections: 2 });
  answer(10);
  decide([], 60_059);
  expect([...state.people.keys()]).toEqual(["a"]);
  decide([], 60_060);
  expect(state.people.size).toBe(0);
});

it("sends an edit before all other calls, even of the person with the most calls", () => {
  enter(["a", "a", "a"], { atMs: 0, connections: 3 });
  enter(["new"], { atMs: 10 });
  enter(["a"], { atMs: 20, isEdit: true });
  expect(look(30, 9)).toEqual(["a", "new"]);
});

it("sends as many edits of a person first as a person can type, and the others in turn", () => {
  for (let edit = 0; edit < 30; edit += 1) enter(["typist"], { atMs: edit, connections: 1, isEdit: true });
  expect(personOf(state, "typist").priorityEdits).toBe(20);
  enter(["typist"], { atMs: 40, isEdit: true });
  enter(["other"], { atMs: 50 });
  expect(look(60, 9)).toEqual(["other", "typist"]);
});

it("gives all people's edits together at most a tenth of the quota", () => {
  for (let person = 0; person < 10; person += 1) {
    for (let edit = 0; edit < 20; edit += 1) {
      enter([`person-${person}`], { atMs: person * 20 + edit, connections: 1, isEdit: true });
    }
  }
  expect(state.priorityEdits).toBe(60);
});

it("reserves a few connections for edits", () => {
  const events = ["1 a", "2 b"].map((id): CallEvent => {
    return { kind: "arrived", id, asker: { person: id, isEdit: id === "2 b" } };
  });
  const connections = { all: 8, others: 0 };
  const { send, needsConnection } = step(state, {
    server: "",
    events,
    connections,
    nowMs: 0,
    holdMs: 2_000,
    chance: 0,
  });
  expect([send, needsConnection]).toEqual([["2 b"], true]);
});

it("serves the person with the most calls last, even after the longest wait", () => {
  enter(["a", "a", "a", "a", "b", "b", "b", "c", "c"], { atMs: 0, connections: 9 });
  enter(["a"], { atMs: 1_000 });
  enter(["b"], { atMs: 1_010 });
  enter(["c"], { atMs: 1_020 });
  expect(look(1_030, 2)).toEqual(["c", "b"]);
  expect(look(1_040, 2)).toEqual(["a"]);
});

describe("beyond an equal share", () => {
  // 18 calls are available to calls that are not edits, so a share is 9.
  const begin = () => {
    state = newAccountState(20);
    enter([...Array<string>(9).fill("a"), "b"], { atMs: 0, connections: 10 });
    answer(100);
  };

  it("sends calls evenly, so that the rest of the quota lasts until the window opens", () => {
    begin();
    const leftAtMs: number[] = [];
    for (let atMs = 200; atMs < 60_000; atMs += 100) {
      if (enter(["a"], { atMs, connections: 9 }).length > 0) leftAtMs.push(atMs);
    }
    const pauses = leftAtMs.map((atMs, index) => atMs - (leftAtMs[index - 1] ?? 0));
    expect(leftAtMs.length).toBeGreaterThanOrEqual(6);
    expect(Math.min(...pauses)).toBeGreaterThan(5_000);
  });

  it("has room for a page below its share at any time, after any pause", () => {
    begin();
    let answered = 0;
    for (let atMs = 200; atMs < 59_000; atMs += 100) {
      if (state.queue.size === 0) enter(["a", "a"], { atMs });
      look(atMs, 9);
      if (atMs % 20_000 === 0) {
        answered += enter(["b"], { atMs, connections: 9 }).filter((who) => who === "b").length;
      }
    }
    expect(answered).toBe(2);
  });
});

it("sends the call that tests a refusal at once, despite reserved places and earlier calls", () => {
  state = newAccountState(60);
  enter(Array<string>(5).fill("a"), { atMs: 0, connections: 5 });
  const [refused = "", ...others] = state.inFlight.keys();
  const throttled: CallEnd = { kind: "throttled", retryAfterMs: 20_000 };
  decide([...others.map((id) => ended(id)), ended(refused, throttled)], 100);
  const { pausedUntilMs } = state.throttle;
  // These people have no calls yet. Each gets a retry time after the end of the pause.
  for (const person of ["b", "c", "d"]) enter(Array<string>(6).fill(person), { atMs: 1_000 });
  expect(state.placeCount).toBe(18);
  expect(enter(["a"], { atMs: pausedUntilMs - 1_000, connections: 9 })).toEqual([]);
  expect(look(pausedUntilMs, 9)).toEqual(["a"]);
  expect(state.placeCount).toBe(18);
  // Only one call leaves until it is answered.
  expect(enter(["b"], { atMs: pausedUntilMs + 10, connections: 9 })).toEqual([]);
});
