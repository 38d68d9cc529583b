/** The bounded cache of answers: it removes the least recently used stores first, and never what waits. */
import { createItemCache } from "../../src/engine/items/item-planner";

const answer = {
  found: false as const,
  error: Object.assign(new Error("none"), { code: "no-data" }) as never,
  fetchedAtMs: 0,
  sentAt: { epoch: 0, number: 1, atMs: 0 },
};

type Groups = ReturnType<typeof createItemCache>;

const query = (storeNumber: number, value = "0") => ({ storeNumber, itemType: "gtin" as const, value });

function fill(groups: Groups, storeNumber: number, count: number): void {
  for (let number = 0; number < count; number += 1) {
    groups.remember(groups.entryOf(query(storeNumber, String(number))), answer);
  }
  groups.evict(groups.groupOf(query(storeNumber))!);
}

const held = (groups: Groups, storeNumber: number) => groups.groupOf(query(storeNumber))?.entries.size ?? 0;

describe("the cache", () => {
  it("contains 200,000 answers, then evicts the store that was not used for longest", () => {
    const groups = createItemCache();
    fill(groups, 10, 100_000);
    fill(groups, 11, 100_000);
    expect([held(groups, 10), held(groups, 11)]).toEqual([100_000, 100_000]);
    groups.markUsed(groups.groupOf(query(10))!);
    fill(groups, 12, 1);
    expect([held(groups, 10), held(groups, 11), held(groups, 12)]).toEqual([100_000, 0, 1]);
  });

  it("counts a store's growth", () => {
    const groups = createItemCache();
    fill(groups, 10, 10);
    fill(groups, 11, 150_000);
    fill(groups, 11, 199_995);
    expect([held(groups, 10), held(groups, 11)]).toEqual([0, 199_995]);
  });

  it("never evicts entries that wait", () => {
    const groups = createItemCache();
    fill(groups, 10, 5);
    const waiting = groups.entryOf(query(10, "waiting"));
    groups.remember(waiting, answer);
    waiting.isQueued = true;
    fill(groups, 11, 200_000);
    expect(held(groups, 10)).toBe(1);
    expect(groups.entryOf(query(10, "waiting"))).toBe(waiting);
    groups.clear(1);
    expect(groups.find(query(10, "waiting"))).toMatchObject({ answer: null, isQueued: true });
    expect(held(groups, 11)).toBe(0);
  });
});
