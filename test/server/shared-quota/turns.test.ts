/** The rule by which INV's pages share a quota: order, what is kept for edits, the pace of bulk, and how long a call waits. */
import { createRoom } from "../../../src/server/shared-quota/quota-store";
import {
  type CallEnd,
  type CallEvent,
  createTurns,
  type Turns,
} from "../../../src/server/shared-quota/turns";

let turns: Turns;
let calls: number;
let inFlight: string[];

/** Nobody else asks, unless a test says so. */
function open(limit: number): void {
  turns = createTurns(limit, createRoom(), () => 0);
  calls = 0;
  inFlight = [];
}
beforeEach(() => open(600));

function decide(events: readonly CallEvent[], nowMs: number) {
  const decided = turns.step(events, nowMs);
  inFlight.push(...decided.send);
  return decided;
}
/** Ids begin with the person. */
const peopleOf = (ids: readonly string[]) => ids.map((id) => id.split(" ")[0]);
const arrival = (person: string, isEdit: boolean): CallEvent => ({
  kind: "arrived",
  id: `${person} ${(calls += 1)}`,
  asker: { person, isEdit },
});
/** Enters a call for each person. Returns whose calls leave. */
const enter = (people: readonly string[], nowMs: number, isEdit = false) =>
  peopleOf(
    decide(
      people.map((person) => arrival(person, isEdit)),
      nowMs,
    ).send,
  );
const look = (nowMs: number) => peopleOf(decide([], nowMs).send);
const ended = (id: string, end: CallEnd = { kind: "answered" }): CallEvent => ({ kind: "ended", id, end });
/** Answers all calls in flight. */
const answer = (nowMs: number) =>
  decide(
    inFlight.splice(0).map((id) => ended(id)),
    nowMs,
  );
const times = (count: number, person: string) => Array<string>(count).fill(person);

/** Lets no call leave for two seconds: the service refuses one. Returns when the pause ends. */
function pause(nowMs: number): number {
  const { send } = turns.step([arrival("pauses", false)], nowMs);
  turns.step([ended(send[0] ?? "", { kind: "throttled", retryAfterMs: 1_500 })], nowMs);
  return nowMs + 1_500;
}

describe("the order", () => {
  it("is edits first, then the person with the fewest calls, then the oldest call", () => {
    enter([...times(3, "a"), ...times(2, "b"), "c"], 0);
    answer(10);
    const endsAtMs = pause(20);
    for (const [person, isEdit] of [
      ["a", false],
      ["b", false],
      ["new", false],
      ["c", false],
      ["a", true],
    ] as const) {
      enter([person], 30, isEdit);
    }
    enter(["other"], 40);
    // After a pause one call tests the service.
    expect(look(endsAtMs)).toEqual(["a"]);
    answer(endsAtMs + 10);
    expect(peopleOf(inFlight)).toEqual(["new", "other", "c", "b"]);
  });

  it("counts a person's calls of the last minute, and forgets the person then", () => {
    enter(times(5, "a"), 0);
    answer(100);
    enter(["b"], 59_000);
    answer(59_100);
    const endsAtMs = pause(60_200);
    enter(["b", "a"], 60_300);
    expect(look(endsAtMs)).toEqual(["a"]);
  });

  it("takes twelve edits of a person in 60 seconds as edits, and the others as bulk", () => {
    enter(times(12, "typist"), 0, true);
    answer(10);
    const endsAtMs = pause(20);
    enter(["typist"], 30, true);
    enter(["other"], 40);
    expect(look(endsAtMs)).toEqual(["other"]);
    answer(endsAtMs + 10);
    answer(endsAtMs + 20);
    look(endsAtMs + 60_100);
    const laterMs = pause(endsAtMs + 60_200);
    enter(["other"], laterMs - 1_000);
    enter(["typist"], laterMs - 900, true);
    expect(look(laterMs)).toEqual(["typist"]);
  });
});

describe("bulk", () => {
  it("of a person who asks alone leaves at once, up to what is kept for edits", () => {
    expect(enter(times(700, "a"), 0).length).toBe(580);
    expect(enter(times(20, "typist"), 10, true).length).toBe(12);
  });

  it.each([
    ["edits of the last 60 seconds", 21_000, 60],
    ["the pace of the last 20 seconds", 10_000, 180],
  ])("leaves room for 1.25 times the edits a minute, by %s", (_, afterMs, editsAMinute) => {
    for (let typist = 0; typist < 60; typist += 1) enter([`typist-${typist}`], 0, true);
    answer(0);
    // They no longer ask, so that bulk needs no even pace; their calls count.
    const { bulk } = turns.bounds(afterMs);
    expect(bulk.maxCalls).toBe(600 - 20 - 1.25 * editsAMinute);
  });

  it("has a tenth of the quota, however many edits there are", () => {
    for (let typist = 0; typist < 700; typist += 1) enter([`typist-${typist}`], typist, true);
    expect(inFlight).toHaveLength(600);
    open(600);
    // Bulk that waits holds back edits beyond nine tenths.
    const refreshes: CallEvent[] = times(100, "a").map((person) => arrival(person, false));
    const edits = Array.from({ length: 700 }, (_, typist) => arrival(`typist-${typist}`, true));
    decide([...edits, ...refreshes], 0);
    expect(peopleOf(inFlight).filter((person) => person === "a").length).toBeGreaterThan(0);
    expect(peopleOf(inFlight).filter((person) => person !== "a")).toHaveLength(540);
  });

  it("of several people keeps an even pace with a burst of a twentieth", () => {
    const people = ["a", "b", "c"];
    let sent = enter(
      people.flatMap((person) => times(100, person)),
      0,
    ).length;
    expect(sent).toBe(31);
    for (let nowMs = 100; nowMs <= 60_000; nowMs += 100) {
      sent += decide(
        people.map((person) => arrival(person, false)),
        nowMs,
      ).send.length;
    }
    // 580 a minute, of which the burst is a part that the window takes back.
    expect(sent).toBe(580);
  });

  it("is shared evenly by those who ask all the time", () => {
    const got = new Map<string, number>();
    for (let nowMs = 0; nowMs < 120_000; nowMs += 50) {
      if (nowMs % 200 === 0) answer(nowMs);
      const people = nowMs < 20_000 ? ["a"] : ["a", "b", "c"];
      for (const person of enter(people, nowMs)) {
        if (nowMs >= 60_000) got.set(person ?? "", (got.get(person ?? "") ?? 0) + 1);
      }
    }
    const counts = [...got.values()];
    expect(Math.min(...counts) / Math.max(...counts)).toBeGreaterThan(0.8);
  });
});

describe("a call that can't leave", () => {
  it("is rejected at once with the time of the next opening, and an edit is not", () => {
    enter(times(580, "a"), 0);
    answer(1_000);
    const { rejected, checkAgainInMs } = decide([arrival("a", false), arrival("b", true)], 31_000);
    expect(rejected).toEqual([{ id: "a 581", retryAfterMs: 30_050 }]);
    expect(peopleOf(inFlight)).toEqual(["b"]);
    expect(checkAgainInMs).toBeNull();
  });

  it("waits two seconds if its kind may open by then, and is rejected after that", () => {
    enter(times(580, "a"), 0);
    answer(1_000);
    expect(decide([arrival("a", false), arrival("a", false)], 59_500)).toMatchObject({
      rejected: [],
      checkAgainInMs: 1_550,
    });
    expect(look(61_049)).toEqual([]);
    expect(look(61_050)).toEqual(["a", "a"]);
    answer(61_060);
    const endsAtMs = pause(61_070);
    enter(["a", "b"], endsAtMs - 100);
    // The first tests the service, and the second waits for its answer in vain.
    expect(look(endsAtMs)).toEqual(["b"]);
    const { rejected } = decide([], endsAtMs + 1_900);
    expect(rejected).toEqual([{ id: "a 584", retryAfterMs: 1_000 }]);
  });

  it("is rejected at once if a thousand wait, or 334 of its person", () => {
    const { send } = decide([arrival("a", false)], 0);
    decide([ended(send[0] ?? "", { kind: "throttled", retryAfterMs: 1_000 })], 0);
    const one = decide(
      times(400, "b").map((person) => arrival(person, false)),
      0,
    );
    expect(one.rejected).toHaveLength(66);
    const others = Array.from({ length: 700 }, (_, person) => arrival(`other-${person}`, false));
    expect(decide(others, 0).rejected).toHaveLength(34);
  });
});

it("after a 429 sends one call, and several again when it is answered", () => {
  const endsAtMs = pause(0);
  enter(["a", "b", "c"], endsAtMs - 100);
  expect(look(endsAtMs)).toEqual(["a"]);
  expect(look(endsAtMs + 10)).toEqual([]);
  expect(answer(endsAtMs + 20).send).toHaveLength(2);
});

it("doesn't count a call whose caller left at the moment of sending, and lets a denied call wait on", () => {
  const [first = "", second = ""] = decide([arrival("a", false), arrival("b", false)], 0).send;
  decide([{ kind: "cancelled", id: first }], 0);
  expect(turns.usage(0)).toEqual({ used: 1, limit: 600 });
  expect(decide([{ kind: "denied", id: second }], 0).send).toEqual([second]);
  expect(turns.usage(0).used).toBe(1);
});
