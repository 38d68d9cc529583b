/** The bounded cache of answers: it evicts the least recently used groups first, keeps what waits, and keeps no event twice. */
import type { HistoryEvent } from "../../src/domain/records";
import { createCache } from "../../src/engine/cache";
import { createHistoryCosts } from "../../src/engine/histories/history-cost";
import { createHistoryPlanner } from "../../src/engine/histories/history-planner";
import { history } from "./bed";

const answerOf = <T>(value: T, number = 1) => ({
  found: true as const,
  value,
  fetchedAtMs: 0,
  sentAt: { epoch: 0, number, atMs: 0 },
});

interface Query {
  readonly store: number;
  readonly item: string;
}

/** The cache has room for a weight of 200,000. Here an answer is its weight. */
function createTestCache() {
  const cache = createCache<Query, number>({
    groupKeyOf: ({ store }) => store,
    sharedOf: ({ store }) => ({ store, item: "" }),
    valueOf: ({ item }) => item,
    weightOf: (answer) => (answer.found ? answer.value : 0),
  });
  return {
    ...cache,
    add(store: number, weight: number, item = "1"): void {
      const entry = cache.entryOf({ store, item });
      cache.remember(entry, answerOf(weight));
      cache.evict(entry.group);
    },
    stores: () =>
      [10, 11, 12].filter((store) => cache.groupOf({ store, item: "" })?.entries.get("1")?.answer),
  };
}

it("evicts the store that was not used for longest once 200,000 answers don't fit", () => {
  const cache = createTestCache();
  cache.add(10, 100_000);
  cache.add(11, 100_000);
  expect(cache.stores()).toEqual([10, 11]);
  cache.markUsed(cache.groupOf({ store: 10, item: "" })!);
  cache.add(12, 1);
  expect(cache.stores()).toEqual([10, 12]);
});

it("counts a store's growth", () => {
  const cache = createTestCache();
  cache.add(10, 10);
  cache.add(11, 150_000);
  cache.add(11, 49_995, "2");
  expect(cache.stores()).toEqual([11]);
});

it("never removes entries that wait, and forgets all answers when it is cleared", () => {
  const cache = createTestCache();
  cache.add(10, 5);
  const waiting = cache.entryOf({ store: 10, item: "waiting" });
  cache.remember(waiting, answerOf(1));
  waiting.isQueued = true;
  cache.add(11, 200_000);
  expect(cache.stores()).toEqual([11]);
  expect(cache.entryOf({ store: 10, item: "waiting" })).toBe(waiting);
  cache.clear(1);
  expect(waiting).toMatchObject({ answer: null, isQueued: true, minimumEpoch: 1 });
  expect(cache.stores()).toEqual([]);
});

describe("the cache of histories, measured in events,", () => {
  const sale: HistoryEvent = { eventType: "SALES", quantity: 1, quantityAfter: 5, createdAtMs: 0 };
  const sales = history(2, { eventType: "SALES" });

  function createPlanner() {
    const planner = createHistoryPlanner(createHistoryCosts(), () => null);
    let calls = 0;
    return {
      ...planner,
      /** Caches the answers of one call. */
      add(events: number, ...queries: ReturnType<typeof history>[]): void {
        calls += 1;
        for (const entry of queries.map(planner.cache.entryOf)) {
          planner.remember(entry, answerOf(Array<HistoryEvent>(events).fill(sale), calls));
          planner.cache.evict(entry.group);
          planner.cache.dropIfIdle(entry);
        }
      },
      eventsOf: (query: ReturnType<typeof history>) => {
        const entry = planner.cache.entryOf(query);
        const whole = planner.wider?.of(entry)?.answer ?? null;
        const answer = entry.answer ?? (whole && planner.wider?.partOf(whole, entry));
        return answer?.found ? answer.value.length : null;
      },
    };
  }

  it("forgets the older answer of one event type when the whole history arrives", () => {
    const planner = createPlanner();
    planner.add(1, history(1));
    planner.add(110_000, sales);
    planner.add(45_000, history(2));
    planner.add(45_000, history(3));
    planner.add(45_000, history(4));
    expect(planner.eventsOf(sales)).toBe(45_000);
    expect(planner.eventsOf(history(1))).toBe(1);
  });

  it("contains the events of a type once if they arrive with the whole history", () => {
    const planner = createPlanner();
    planner.add(1, history(1));
    planner.add(110_000, history(2), sales);
    expect(planner.eventsOf(sales)).toBe(110_000);
    planner.add(50_000, history(3));
    expect(planner.eventsOf(history(1))).toBe(1);
  });
});
