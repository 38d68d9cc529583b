/** Numbers, times and prices as the pane words them. */
import {
  count,
  counted,
  duration,
  estimate,
  priceWords,
  quotaWords,
  timeOfDay,
} from "../../../src/taskpane/parts/words";
import type { Quote } from "../../../src/workbook/refresh/refresh";

const now = new Date(2026, 10, 20, 14, 0).getTime();

function aQuote(price: Partial<Quote["price"]>, cells = 100, unseen = 0): Quote {
  return {
    scope: "workbook",
    cells,
    unseen,
    silent: 0,
    work: { items: [], histories: [] },
    price: { searchCalls: 0, eventCallsAtLeast: 0, quotaShare: 0, durationMs: 0, ...price },
  };
}

describe("words", () => {
  it.each([
    [0, "0 cells"],
    [1, "1 cell"],
    [10_000, "10,000 cells"],
  ])("count %i", (value, expected) => expect(counted(value, "cell")).toBe(expected));

  it("group thousands", () => expect(count(1_234_567)).toBe("1,234,567"));

  it.each([
    [0, "under 1 s"],
    [400, "under 1 s"],
    [1000, "1 s"],
    [59_400, "59 s"],
    [60_000, "1 min"],
    [3_540_000, "59 min"],
    [3_600_000, "1 h"],
    [3_900_000, "1 h 5 min"],
    [7_170_000, "2 h"],
    [108_000_000, "30 h"],
    [172_800_000, "2 days"],
  ])("tell a length of %i ms", (lengthMs, expected) => expect(duration(lengthMs)).toBe(expected));

  it("estimate: about, but never about under", () => {
    expect(estimate(12_000)).toBe("about 12 s");
    expect(estimate(300)).toBe("under 1 s");
  });

  it("tell the time of today, and the date of another day", () => {
    expect(timeOfDay(now, now)).toBe("14:00");
    expect(timeOfDay(now - 86_400_000, now)).toBe("2026-11-19 14:00");
  });

  it.each([
    [0, "no quota"],
    [0.003, "under 0.01 of a minute's quota"],
    [0.07, "0.07 of a minute's quota"],
    [0.686, "0.7 of a minute's quota"],
    [1, "1.0 of a minute's quota"],
    [3.21, "3.2 minutes' quota"],
  ])("tell a quota share of %d", (share, expected) => expect(quotaWords(share)).toBe(expected));
});

describe("the price of a refresh", () => {
  it("names cells, calls, the share of the quota and when it is done", () => {
    const { price, notes } = priceWords(
      aQuote({ searchCalls: 412, quotaShare: 0.69, durationMs: 180_000 }, 41_200),
      now,
    );
    expect(price).toBe("41,200 cells: 412 calls, 0.7 of a minute's quota, done about 14:03.");
    expect(notes).toEqual([]);
  });

  it("tells a short one by its length", () => {
    const { price } = priceWords(aQuote({ searchCalls: 1, quotaShare: 1 / 600, durationMs: 300 }, 1), now);
    expect(price).toBe("1 cell: 1 call, under 0.01 of a minute's quota, done in under 1 s.");
  });

  it("gives histories as a lower bound, and counts unseen formulas apart", () => {
    const { price, notes } = priceWords(
      aQuote({ searchCalls: 2, eventCallsAtLeast: 5, quotaShare: 0.02, durationMs: 1000 }, 50, 12),
      now,
    );
    expect(price).toBe(
      "50 cells: 2 calls and at least 5 for histories for the 38 calculated in this session.",
    );
    const wordsOf = (calls: Partial<Quote["price"]>) => priceWords(aQuote(calls), now).price;
    expect(wordsOf({ searchCalls: 1, eventCallsAtLeast: 1 })).toContain(
      "1 call and at least 1 for histories",
    );
    expect(wordsOf({ eventCallsAtLeast: 1 })).toContain("cells: at least 1 call for histories");
    expect(notes).toEqual([expect.stringMatching(/^12 formulas .* not in the price\.$/)]);
  });

  it("tells what asked for nothing apart from what was not calculated yet", () => {
    const { price, notes } = priceWords(
      { ...aQuote({ searchCalls: 2, durationMs: 100 }, 50), silent: 3 },
      now,
    );
    expect(price).toMatch(/^50 cells: 2 calls, /);
    expect(notes).toEqual([expect.stringMatching(/^3 formulas asked for nothing when last calculated/)]);
  });

  it("says when there is nothing, or nothing that can be priced", () => {
    expect(priceWords(aQuote({}, 0), now).price).toBe("No INV formulas here.");
    expect(priceWords({ ...aQuote({}, 0), scope: "older" }, now).price).toContain("no value is that old");
    expect(priceWords(aQuote({}, 3, 3), now).price).toContain("no calls that can be told beforehand");
  });
});
