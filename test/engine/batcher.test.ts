/** The batcher with a codec that returns what each test wants: which cells an answer settles, and what a call carries. */
import type { Environment } from "../../src/domain/environment";
import { createUnanswered } from "../../src/engine/unanswered";
import type { ItemQuery, ItemRecord } from "../../src/domain/records";
import { type EngineSettings, isAnswered, type Outcome, type Waiter } from "../../src/engine/types";
import { type Bisection, type Call, type Entry, newCall } from "../../src/engine/entry";
import { createItemPlanner } from "../../src/engine/items/item-planner";
import { createBatcher } from "../../src/engine/batcher";
import { createProgressTracker } from "../../src/engine/progress";
import { createArrivals } from "../../src/engine/scheduler/arrivals";
import { createSettleQueue } from "../../src/engine/waiters";
import { createEngineRefresh, type EngineRefresh } from "../../src/engine/engine-refresh";
import type { CallResult } from "../../src/engine/planner-and-codec";
import { createVirtualClock } from "../helpers/virtual-clock";
import { item } from "./bed";

type ItemEntry = Entry<ItemQuery, ItemRecord>;
type ItemCall = Call<ItemQuery, ItemRecord>;
type Result = Partial<CallResult<ItemQuery, ItemRecord>>;

const nothing = { answered: [], requeued: [], unanswered: [], continuation: null };
const half: Bisection<ItemQuery, ItemRecord> = { suspects: [], deferred: [], calls: 1, error: null as never };
const settings: EngineSettings = {
  freshnessMs: 60_000,
  refreshAgeMs: 0,
  whenUnanswered: "last-known",
  askAboveCalls: 0,
};

function createBatcherBed() {
  const clock = createVirtualClock();
  const tracker = createProgressTracker(clock);
  const batcher = createBatcher<ItemQuery, ItemRecord>({
    clock,
    environment: { id: "demo" } as Environment,
    tracker,
    unanswered: createUnanswered(() => "demo"),
    settings: () => settings,
    settleQueue: createSettleQueue(clock, tracker),
    arrivals: createArrivals(),
    latestRefresh: () => latestRefresh,
    ownAgeMs: () => 0,
    planner: createItemPlanner(() => null),
    codec: {
      build: () => new Request("https://demo.example"),
      receive: () => Promise.reject(new Error("Nothing is received here.")),
      resultOfFailure: ({ entriesToSettle }, error) => ({
        ...nothing,
        unanswered: entriesToSettle.map((entry) => ({ entry, error })),
      }),
    },
  });
  let latestRefresh: EngineRefresh | null = null;
  let number = 0;
  const ended: string[] = [];

  return {
    batcher,
    tracker,
    ended,
    ask(name: string, query: ItemQuery): void {
      const waiter: Waiter<ItemRecord> = { epoch: 0, settle: (outcome) => note(name, outcome) };
      const outcome = batcher.request(query, waiter, undefined);
      if (outcome !== null) note(name, outcome);
    },
    /** Starts a refresh of these queries that marks every cell. */
    refresh(queries: readonly ItemQuery[], epoch: number): void {
      latestRefresh = createEngineRefresh(clock, { epoch, ageMs: 0, sharedAgeMs: 0, continued: null });
      batcher.refresh(queries, latestRefresh, () => undefined);
    },
    send(epoch: number): ItemCall {
      const call = batcher.take("any") as ItemCall;
      call.sentAt = { epoch, number: (number += 1), atMs: clock.steadyNow() };
      return call;
    },
    answer: (call: ItemCall, result: Result): void => batcher.endCall(call, { ...nothing, ...result }),
    answeredBy: ({ entries, sentAt }: ItemCall): Result["answered"] =>
      entries.map((entry) => ({
        entry,
        answer: { found: true, value: recordOf(entry), fetchedAtMs: clock.now(), sentAt: sentAt! },
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
    const bed = createBatcherBed();
    bed.ask("before", item(1, 1));
    const old = bed.send(0);
    bed.refresh([item(1, 1)], 1);
    bed.ask("after", item(1, 1));
    return { ...bed, old };
  }

  it("settles the cells that asked before the refresh", () => {
    const { old, answer, answeredBy, ended } = refreshedMeanwhile();
    answer(old, { answered: answeredBy(old) });
    expect(ended).toContain("before answered");
  });

  it("leaves the cells that asked after the refresh to a call of the new epoch", () => {
    const { old, send, answer, answeredBy, ended } = refreshedMeanwhile();
    answer(old, { answered: answeredBy(old) });
    expect(ended).not.toContain("after answered");
    const next = send(1);
    answer(next, { answered: answeredBy(next) });
    expect(ended).toEqual(["before answered", "after answered"]);
  });
});

describe("a call that another one continues", () => {
  const queries = [1, 2, 3].map((number) => item(1, number));

  /** Three cells wait for a call, which a call for only the first of them continues. */
  function continued() {
    const bed = createBatcherBed();
    queries.forEach((query) => bed.ask("first", query));
    const call = bed.send(0);
    const entriesToSettle = call.entries;
    const entries = entriesToSettle.slice(0, 1);
    const continuation = newCall({
      entries,
      entriesToSettle,
      bisection: half,
      isEdit: false,
      isPartFilled: true,
    });
    bed.answer(call, { continuation });
    return { ...bed, entries, entriesToSettle };
  }

  it("requests its waiting entries in the newest epoch, so a refresh repeats only what is in flight", () => {
    const { send, batcher, refresh, entries } = continued();
    send(0);
    refresh(queries, 1);
    expect(batcher.take("any")?.entries).toEqual(entries);
  });

  it("passes its entries on: cells that ask meanwhile join them and settle with them", () => {
    const { ask, batcher, tracker, send, answer, answeredBy, ended, entries, entriesToSettle } = continued();
    queries.forEach((query) => ask("second", query));
    expect(batcher.queuedCalls()).toBe(1);
    expect(tracker.counts().cells).toMatchObject({ waiting: 0, inFlight: 6 });
    const continuation = send(0);
    expect(continuation.entries).toEqual(entries);
    answer(continuation, { answered: answeredBy({ ...continuation, entries: entriesToSettle }) });
    expect(ended).toHaveLength(6);
    expect(new Set(ended)).toEqual(new Set(["first answered", "second answered"]));
    expect(batcher.hasQueued()).toBe(false);
  });
});
