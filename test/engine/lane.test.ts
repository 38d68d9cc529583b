/** The lane alone, with a wire that says what each test wants: whom an answer settles, and what a call holds. */
import type { ItemQuery, ItemRecord } from "../../src/domain/records";
import { isAnswered, type Outcome, type Waiter } from "../../src/engine/answer";
import { type Call, newCall } from "../../src/engine/entry";
import { createItemIndex, type ItemEntry, type ItemsOf } from "../../src/engine/items/items";
import { createLane } from "../../src/engine/lane";
import { createProgressBoard } from "../../src/engine/progress";
import { createArrivals, createSheets } from "../../src/engine/arrivals";
import { createSettler } from "../../src/engine/lines";
import type { EngineSettings } from "../../src/engine/types";
import type { Reading } from "../../src/engine/lane-types";
import { createVirtualClock } from "../helpers/virtual-clock";
import { item } from "./bed";

type Said = Partial<Reading<ItemRecord, ItemEntry, string>>;
type ItemCall = Call<ItemEntry, string>;
interface SaidAnswer {
  readonly kind: "said";
  readonly said: Said;
}

const nothing = { answered: [], again: [], failed: [], follows: [] };
const settings: EngineSettings = {
  freshnessMs: 60_000,
  refreshAgeMs: 0,
  whenUnanswered: "last-known",
  askAboveCalls: 0,
  offline: false,
};

function createLaneBed() {
  const clock = createVirtualClock();
  const sheets = createSheets();
  const board = createProgressBoard({ clock, snapshot: () => ({}) as never, isBusy: () => true });
  const lane = createLane<ItemQuery, ItemRecord, ItemsOf, string, SaidAnswer>({
    clock,
    sheets,
    board,
    settings: () => settings,
    settler: createSettler(clock, () => undefined),
    arrivals: createArrivals(),
    wake: () => undefined,
    index: createItemIndex(sheets.preferred),
    wire: {
      build: () => new Request("https://demo.example"),
      receive: () => Promise.reject(new Error("Nothing is received here.")),
      read: (_call, { said }) => ({ ...nothing, ...said }),
      unanswered: ({ held }, error) => ({ ...nothing, failed: held.map((entry) => ({ entry, error })) }),
    },
  });
  let number = 0;
  const ended: string[] = [];

  return {
    lane,
    board,
    ended,
    /** A cell of this name asks. */
    ask(name: string, query: ItemQuery): void {
      const waiter: Waiter<ItemRecord> = { next: null, ended: (outcome) => note(name, outcome) };
      const outcome = lane.ask(query, waiter, undefined);
      if (outcome !== null) note(name, outcome);
    },
    /** The next call leaves, in this epoch. */
    send(epoch: number): ItemCall {
      const call = lane.take("all") as ItemCall;
      lane.left(call, { epoch, number: (number += 1), atMs: clock.steadyNow() });
      return call;
    },
    answer: (call: ItemCall, said: Said): void => lane.settle(call, { kind: "said", said } as SaidAnswer),
    /** All that a call holds is answered. */
    answeredBy: ({ entries, asked }: ItemCall): Said["answered"] =>
      entries.map((entry) => ({
        entry,
        answer: { found: true, value: recordOf(entry), fetchedAtMs: clock.now(), asked: asked! },
      })),
  };

  function note(name: string, outcome: Outcome<ItemRecord>): void {
    ended.push(`${name} ${isAnswered(outcome) ? "answered" : outcome.code}`);
  }
}

function recordOf({ value }: ItemEntry): ItemRecord {
  return { gtin: value, itemNumber: null, locations: [], cids: [], lastUpdatedMs: null };
}

describe("an answer to a call that left before a refresh", () => {
  function refreshedMeanwhile() {
    const bed = createLaneBed();
    bed.ask("before", item(1, 1));
    const old = bed.send(0);
    bed.lane.refresh([item(1, 1)], 1);
    bed.ask("after", item(1, 1));
    return { ...bed, old };
  }

  it("tells those who asked before it", () => {
    const { old, answer, answeredBy, ended } = refreshedMeanwhile();
    answer(old, { answered: answeredBy(old) });
    expect(ended).toContain("before answered");
  });

  it("tells nobody who asked after it: a call of the new epoch does", () => {
    const { old, send, answer, answeredBy, ended } = refreshedMeanwhile();
    answer(old, { answered: answeredBy(old) });
    expect(ended).not.toContain("after answered");
    const next = send(1);
    answer(next, { answered: answeredBy(next) });
    expect(ended).toEqual(["before answered", "after answered"]);
  });
});

describe("a call that goes on in another", () => {
  it("will ask in the newest epoch for what it only holds: a refresh meanwhile asks again for what is under way", () => {
    const bed = createLaneBed();
    const queries = [1, 2, 3].map((number) => item(1, number));
    queries.forEach((query) => bed.ask("cell", query));
    const call = bed.send(0);
    const held = call.entries;
    const half = held.slice(0, 1);
    const follow = newCall({ entries: half, held, goesOn: "half", isEdit: false, isPartFilled: true });
    bed.answer(call, { follows: [follow] });
    bed.send(0);
    bed.lane.refresh(queries, 1);
    expect(bed.lane.take("all")?.entries).toEqual(half);
  });

  it("leaves all it holds to that one: who asks for it meanwhile stands in line, and ends with it", () => {
    const bed = createLaneBed();
    const queries = [1, 2, 3].map((number) => item(1, number));
    queries.forEach((query) => bed.ask("first", query));
    const call = bed.send(0);
    const held = call.entries;
    const [half] = held as [ItemEntry, ...ItemEntry[]];
    bed.answer(call, {
      follows: [newCall({ entries: [half], held, goesOn: "half", isEdit: false, isPartFilled: true })],
    });
    queries.forEach((query) => bed.ask("second", query));
    expect(bed.lane.callsWaiting()).toBe(1);
    expect(bed.board.cells).toMatchObject({ waiting: 0, inFlight: 6 });
    const follow = bed.send(0);
    expect(follow.entries).toEqual([half]);
    const answered = bed.answeredBy({ ...follow, entries: held });
    bed.answer(follow, { answered });
    expect(bed.ended).toHaveLength(6);
    expect(new Set(bed.ended)).toEqual(new Set(["first answered", "second answered"]));
    expect(bed.lane.isWaiting()).toBe(false);
  });
});

it.each([
  [99, 1, null],
  [100, 1, 100],
  [101, 2, 100],
  [250, 3, 100],
])(
  "%i items of a store are counted as %i calls, and of a full one no part-filled goes",
  (count, calls, full) => {
    const { lane, ask } = createLaneBed();
    for (let number = 1; number <= count; number += 1) ask("cell", item(1, number));
    expect(lane.callsWaiting()).toBe(calls);
    expect(lane.take("none")?.entries.length ?? null).toBe(full);
  },
);
