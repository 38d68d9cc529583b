/** Times and costs in words. */
import {
  costWords,
  duration,
  estimate,
  requestWords,
  timeOfDay,
  zoneWords,
} from "../../../src/taskpane/parts/words";
import type { Quote } from "../../../src/workbook/refresh/refresh";

const now = new Date(2026, 10, 20, 14, 0).getTime();

function aQuote(price: Partial<Quote["price"]>, cells = 100, unpredictable = 0): Quote {
  return {
    scope: "workbook",
    cells,
    unpredictable,
    hidden: 0,
    grids: [],
    work: { items: [], histories: [] },
    price: { searchCalls: 0, eventCallsAtLeast: 0, durationMs: 0, ...price },
    atMostWhole: 0,
    validUntilMs: Infinity,
  };
}

describe("words", () => {
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
  ])("show a duration of %i ms", (lengthMs, expected) => expect(duration(lengthMs)).toBe(expected));

  it.each([
    [0, "UTC"],
    [-120, "UTC+2"],
    [210, "UTC-3:30"],
    [-345, "UTC+5:45"],
  ])("name the time zone %i minutes behind UTC", (minutes, expected) => {
    const offset = jest.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(minutes);
    expect(zoneWords(now)).toBe(expected);
    offset.mockRestore();
  });

  it("estimates say about, but never about under", () => {
    expect(estimate(12_000)).toBe("about 12 s");
    expect(estimate(300)).toBe("under 1 s");
  });

  it("show the time of today, and the date of another day", () => {
    expect(timeOfDay(now, now)).toBe("14:00");
    expect(timeOfDay(now - 86_400_000, now)).toBe("2026-11-19 14:00");
  });

  it.each([
    [{ searchCalls: 10, eventCallsAtLeast: 0 }, 600, "10 of 600 requests"],
    [{ searchCalls: 600, eventCallsAtLeast: 0 }, 600, "600 of 600 requests"],
    [{ searchCalls: 1_240, eventCallsAtLeast: 0 }, 600, "1,240 requests at 600 a minute"],
    [{ searchCalls: 1, eventCallsAtLeast: 0 }, 0, "1 request"],
    [{ searchCalls: 10, eventCallsAtLeast: 3 }, 600, "10 of 600 requests and at least 3 for histories"],
    [{ searchCalls: 0, eventCallsAtLeast: 1 }, 600, "at least 1 request for histories"],
  ])("show the requests of %j at a limit of %i", (price, limit, expected) =>
    expect(requestWords(price, limit)).toBe(expected),
  );
});

describe("the cost of a refresh", () => {
  const costOf = (quote: Quote) => costWords(quote, { limit: 600, nowMs: now, freshnessMinutes: 30 });

  it("is one line: cells, requests, how long", () => {
    const quote = aQuote({ searchCalls: 10, eventCallsAtLeast: 3, durationMs: 300 }, 871);
    expect(costOf(quote)).toEqual({
      cost: "871 cells: 13 requests, under 1 s",
      notes: [
        "At least 3 requests for histories, which may have several pages.",
        "INV sends at most 600 requests a minute.",
      ],
    });
  });

  it.each([
    [1, "16 cells: 7 or 8 requests, under 1 s"],
    [5, "16 cells: 7 to 12 requests, under 1 s"],
  ])("is a range if sums may read %i whole histories besides", (atMostWhole, words) => {
    const quote = { ...aQuote({ searchCalls: 4, eventCallsAtLeast: 3 }, 16), atMostWhole };
    expect(costOf(quote).cost).toBe(words);
    expect(costOf(quote).notes[1]).toMatch(/^Up to \d more histor(y|ies), for items without such events\.$/);
  });

  it("says how many of the cells are in hidden rows", () => {
    const notesWith = (cells: number, hidden: number) =>
      costOf({ ...aQuote({ searchCalls: 1 }, cells), scope: "selection", hidden }).notes[0];
    expect(notesWith(20, 12)).toBe("12 cells are in hidden rows, and refreshed too.");
    expect(notesWith(1, 1)).toBe("1 cell is in a hidden row, and refreshed too.");
  });

  it("says when a long refresh ends", () => {
    expect(costOf(aQuote({ searchCalls: 1_800, durationMs: 180_000 }, 41_200)).cost).toBe(
      "41,200 cells: 1,800 requests, until about 14:03",
    );
  });

  it("counts apart what can't be told before", () => {
    const { cost, notes } = costOf(aQuote({ searchCalls: 2, durationMs: 1000 }, 50, 12));
    expect(cost).toBe("50 cells: at least 2 requests, about 1 s");
    expect(notes[0]).toBe("Not counted: 12 INV functions whose arguments Excel calculates first.");
  });

  it("says that a part of a grid counts as the whole grid", () => {
    const grids = [{ address: "B2", values: 2_000 }];
    expect(costOf({ ...aQuote({ searchCalls: 40 }, 1), grids }).cost).toBe(
      "Part of the grid in B2, 2,000 values: 40 requests, under 1 s",
    );
    expect(costOf({ ...aQuote({ searchCalls: 41 }, 3), grids }).cost).toMatch(
      /^3 cells, with the grid in B2: /,
    );
  });

  it("says when there is nothing, or nothing to request", () => {
    expect(costOf(aQuote({}, 0)).cost).toBe("No INV formulas with a store and an item in this workbook.");
    expect(costOf({ ...aQuote({}, 0), scope: "selection" }).cost).toBe(
      "No INV formulas with a store and an item in this selection.",
    );
    expect(costOf({ ...aQuote({}, 0), scope: "sheet" }).cost).toBe(
      "No INV formulas with a store and an item on this sheet.",
    );
    expect(costOf({ ...aQuote({}, 0), scope: "older" }).cost).toContain("no value is older than 30 min.");
    expect(costOf(aQuote({}, 3)).cost).toBe("3 cells: no requests");
  });
});
